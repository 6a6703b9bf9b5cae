import { runTogether } from '../../support/load-kill-verify/run-together.ts';
import { physicalNames } from '../cdk/inventory.ts';
import { HotSagas } from '../load/hot-sagas.ts';
import { httpWays } from '../load/http-ways.ts';
import { ProofSubject } from '../load/proof-subject.ts';
import { SampleSubject } from '../load/sample-subject.ts';
import type { Setting, WholeApps } from '../proof-run.ts';
import { readPolicyTargets, readStatements } from './assembly-statements.ts';
import { DeployedFunctions } from './deployed-functions.ts';
import { DeployedPolicies } from './deployed-policy.ts';
import { type Outcome, outcomeLines, reasonNotShown } from './outcome.ts';
import type { Statement } from './statement.ts';
import { isOfOperator, Trials } from './trials.ts';

/**
 * Who dispatches what an endpoint could not, and who else would dispatch it, first the endpoint: by the beginnings
 * of their statements' names.
 */
const relayed: Readonly<Record<string, readonly string[]>> = {
  'ProofStore/OrdersRelay/': ['ProofStore/Orders/Function'],
  'ProofOffice/StockRelay/': ['ProofOffice/Stock/Function'],
  'OrderFulfilment/Relay/': ['OrderFulfilment/Orders/Function'],
  'ProofStore/Operator#': ['ProofStore/Orders/Function', 'ProofStore/OrdersRelay/Function'],
};
const dispatchActions = /^(sqs:SendMessage|sns:Publish|events:PutEvents|scheduler:|iam:PassRole)/;

/** Takes out each deployed statement in turn, and brings about without it what needs it. */
export async function tryEachStatement(
  setting: Setting<WholeApps>,
  isMeant: (statement: Statement) => boolean,
  say: (line: string) => void,
): Promise<Outcome[]> {
  const { assemblies, calls, cdk, clients, emulator, phases, signal } = setting;
  const [sampleOutputs, proofOutputs] = await phases.run('bootstrap and deploy', async () => {
    await cdk.bootstrap();
    return await runTogether(signal, [
      (own) => cdk.deploy(assemblies.sample, own),
      (own) => cdk.deploy(assemblies.updated, own),
    ]);
  });
  const outputs = { ...sampleOutputs, ...proofOutputs };
  const both = [assemblies.sample, assemblies.updated];
  const all = (await Promise.all(both.map(readStatements))).flat();
  const targets = (await Promise.all(both.map(readPolicyTargets))).flatMap((some) => [...some]);
  const proof = new ProofSubject(clients, proofOutputs, (output) => httpWays(emulator, output));
  const trials = new Trials(
    setting,
    new DeployedPolicies(calls, await physicalNames(calls, outputs), new Map(targets)),
    new DeployedFunctions(calls),
    { sample: new SampleSubject(clients, sampleOutputs), proof, hot: new HotSagas(clients, proof) },
  );
  const sendsOf = (owner: string) =>
    all.filter(({ name, actions }) => name.startsWith(owner) && actions.every(isDispatch));
  const tryOut = async (statement: Statement): Promise<Outcome> => {
    if (reasonNotShown(statement) !== undefined) return { statement, denied: undefined, seconds: 0 };
    if (isOfOperator(statement) && !statement.actions.every(isDispatch))
      return await trials.withOperator(statement);
    const [, others] = Object.entries(relayed).find(([name]) => statement.name.startsWith(name)) ?? [];
    if (others === undefined) return await trials.withOrder(statement);
    return await trials.withRelay(statement, others.map(sendsOf));
  };
  const outcomes: Outcome[] = [];
  for (const statement of all.filter(isMeant)) {
    const outcome = await tryOut(statement);
    outcomes.push(outcome);
    say(`${String(outcome.seconds).padStart(6)} s  ${outcomeLines([outcome])[0]}`);
  }
  return outcomes;
}

function isDispatch(action: string): boolean {
  return dispatchActions.test(action);
}

import { setTimeout as delay } from 'node:timers/promises';
import { physicalNames } from '../cdk/inventory.ts';
import type { Denial } from '../engine/journal.ts';
import { runTogether } from '../engine/run-together.ts';
import { undispatchedRecords } from '../far-ends/undispatched.ts';
import { ProofSubject } from '../load/proof-subject.ts';
import { SampleSubject } from '../load/sample-subject.ts';
import { sendUnknown } from '../load/unknown-messages.ts';
import type { Setting, WholeApps } from '../proof-run.ts';
import { readPolicyTargets, readStatements } from './assembly-statements.ts';
import { DeployedPolicies } from './deployed-policy.ts';
import { type Outcome, outcomeLines, reasonNotShown } from './outcome.ts';
import type { Statement } from './statement.ts';

/** A delay to a FIFO queue waits in a schedule for ten seconds at least; most denials come within one. */
const noticedWithinMs = 16_000;
/** What was denied before comes again when its visibility timeout is over. */
const atRestWithinMs = 60_000;
const pollMs = 100;
const relayOf = { OrdersRelay: 'Orders', StockRelay: 'Stock' } as const;
const dispatchActions = /^(sqs:SendMessage|sns:Publish|events:PutEvents|scheduler:|iam:PassRole)/;

/** Takes out each deployed statement in turn, and sends an order in all ways without it. */
export async function tryEachStatement(
  setting: Setting<WholeApps>,
  isMeant: (statement: Statement) => boolean,
  say: (line: string) => void,
): Promise<Outcome[]> {
  const { assemblies, calls, cdk, clients, phases, signal } = setting;
  const [sampleOutputs, proofOutputs] = await phases.run('bootstrap and deploy', async () => {
    await cdk.bootstrap();
    return await runTogether(signal, [
      (own) => cdk.deploy(assemblies.sample, own),
      (own) => cdk.deploy(assemblies.updated, own),
    ]);
  });
  const outputs = { ...sampleOutputs, ...proofOutputs };
  const all = (await Promise.all([assemblies.sample, assemblies.updated].map(readStatements))).flat();
  const targets = new Map(
    (await Promise.all([assemblies.sample, assemblies.updated].map(readPolicyTargets))).flatMap((some) => [
      ...some,
    ]),
  );
  const trials = new Trials(
    setting,
    new DeployedPolicies(calls, await physicalNames(calls, outputs), targets),
    new SampleSubject(clients, sampleOutputs),
    new ProofSubject(clients, proofOutputs),
  );
  const outcomes: Outcome[] = [];
  const tell = (outcome: Outcome): void => {
    outcomes.push(outcome);
    say(`${String(outcome.seconds).padStart(6)} s  ${outcomeLines([outcome])[0]}`);
  };
  const isOfRelay = ({ name }: Statement) => Object.keys(relayOf).some((id) => name.includes(`/${id}/`));
  // While nothing else comes again that was denied before.
  for (const [relay, endpoint] of Object.entries(relayOf)) {
    const some = all.filter(isMeant).filter(({ name }) => name.includes(`/${relay}/`));
    const sends = all.filter(
      ({ name, stack, actions }) =>
        stack === some[0]?.stack &&
        name.includes(`/${endpoint}/Function/`) &&
        // CDK puts the right to send to its own queue, and to read it, into one.
        !actions.includes('sqs:ReceiveMessage') &&
        actions.some((action) => dispatchActions.test(action)),
    );
    // A run that nothing denies dispatches the record.
    some.sort((one, other) => Number(isNotShown(one)) - Number(isNotShown(other)));
    if (some.length > 0) await trials.withStrandedRecord(relay, sends, some, tell);
  }
  for (const statement of all.filter(isMeant)) {
    if (!isOfRelay(statement)) tell(await trials.withOrder(statement));
  }
  return outcomes;
}

class Trials {
  readonly #setting: Setting<WholeApps>;
  readonly #policies: DeployedPolicies;
  readonly #sample: SampleSubject;
  readonly #proof: ProofSubject;
  #count = 0;

  constructor(
    setting: Setting<WholeApps>,
    policies: DeployedPolicies,
    sample: SampleSubject,
    proof: ProofSubject,
  ) {
    this.#setting = setting;
    this.#policies = policies;
    this.#sample = sample;
    this.#proof = proof;
  }

  async withOrder(statement: Statement): Promise<Outcome> {
    const giveBack = await this.#policies.takeOut([statement]);
    try {
      return await this.#watch(statement, () => this.#order(statement.stack));
    } finally {
      await giveBack();
    }
  }

  /** Without the endpoint's statements to send, its records are left for the relay. */
  async withStrandedRecord(
    relay: string,
    sends: readonly Statement[],
    statements: readonly Statement[],
    tell: (outcome: Outcome) => void,
  ): Promise<void> {
    const tableName = this.#proof.output(relay === 'OrdersRelay' ? 'OutboxTableName' : 'StockTableName');
    const giveBackSends = await this.#policies.takeOut(sends);
    try {
      this.#count += 1;
      await this.#proof.place([`trial-${this.#count}`], { times: 1 });
      await this.#until('No record stayed undispatched', async () => {
        const records = await undispatchedRecords(this.#setting.clients.dynamoDB, [tableName]);
        return records.length > 0;
      });
      // The relay leaves alone what is younger.
      await delay(6_000, undefined, { signal: this.#setting.signal });
      for (const statement of statements) {
        const giveBack = await this.#policies.takeOut([statement]);
        try {
          tell(await this.#watch(statement, () => this.#runRelay(relay)));
        } finally {
          await giveBack();
        }
      }
    } finally {
      await giveBackSends();
    }
  }

  async #order(stack: string): Promise<void> {
    this.#count += 1;
    const orderId = `trial-${this.#count}`;
    if (stack === 'OrderFulfilment') {
      await this.#sample.place([orderId], this.#setting.signal);
      await sendUnknown(
        this.#setting.clients,
        await this.#sample.workingQueueUrls(),
        `unknown-${orderId}`,
        1,
      );
      return;
    }
    await this.#proof.place([orderId], { times: 1 });
    const queues = await this.#proof.workingQueueUrls();
    await sendUnknown(this.#setting.clients, queues, `unknown-${orderId}`, 1);
  }

  async #runRelay(relay: string): Promise<void> {
    const FunctionName = this.#proof.output(`${relay}Name`);
    await this.#setting.calls.call('lambda', 'invoke', { FunctionName, Payload: '{}' });
  }

  async #until(problem: string, isSo: () => Promise<boolean>): Promise<void> {
    const endsAt = Date.now() + atRestWithinMs;
    while (!(await isSo())) {
      if (Date.now() > endsAt) throw new Error(problem);
      await delay(pollMs, undefined, { signal: this.#setting.signal });
    }
  }

  async #watch(statement: Statement, load: () => Promise<void>): Promise<Outcome> {
    const { emulator, signal } = this.#setting;
    const { journal } = emulator;
    const startedAt = performance.now();
    await journal.look();
    const seen = journal.denials.length;
    const owner = this.#policies.ownerOf(statement).split('/').at(-1) ?? '';
    const isOfOwner = ({ principal, action, resource }: Denial) =>
      statement.actions.includes(action) &&
      (statement.kind === 'role' ? namesRole(principal, owner) : resource.endsWith(`:${owner}`));
    let denial: Denial | undefined;
    await load();
    while (denial === undefined && performance.now() - startedAt < noticedWithinMs) {
      await delay(pollMs, undefined, { signal });
      await journal.look();
      denial = journal.denials.slice(seen).find(isOfOwner);
    }
    const seconds = Number(((performance.now() - startedAt) / 1_000).toFixed(1));
    const denied = denial && `${denial.action} on ${denial.resource}`;
    return { statement, denied, seconds };
  }
}

function isNotShown(statement: Statement): boolean {
  return reasonNotShown(statement) !== undefined;
}

function namesRole(principal: string, role: string): boolean {
  return principal.includes(`:assumed-role/${role}/`) || principal.endsWith(`:role/${role}`);
}

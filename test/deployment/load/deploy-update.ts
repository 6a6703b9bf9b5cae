import { runTogether } from '../../support/load-kill-verify/run-together.ts';
import type { Outputs } from '../cdk/cdk.ts';
import { physicalNames } from '../cdk/inventory.ts';
import type { Setting } from '../proof-run.ts';
import { judgeUpdate } from '../updates/judge-update.ts';
import type { Update, UpdatedApp } from '../updates/updates.ts';

/** The updates of an app that are deployed at once, and what is deployed. */
export interface AppUpdate {
  readonly app: UpdatedApp;
  readonly assembly: string;
  readonly updates: readonly Update[];
}

interface DeployedUpdate {
  readonly outputs: Outputs;
  /** What did not come true of it, in words. */
  readonly complaints: readonly string[];
}

/** Deploys updates of an app over what runs, and compares what its stacks hold before and after. */
export async function deployUpdate(
  { calls, cdk, signal }: Setting,
  { assembly, updates }: AppUpdate,
  stacks: Outputs,
): Promise<DeployedUpdate> {
  const [differs, before] = await runTogether(signal, [
    (own) => cdk.diff(assembly, own),
    () => physicalNames(calls, stacks),
  ]);
  const outputs = await cdk.deploy(assembly);
  const after = await physicalNames(calls, outputs);
  const untold = updates.filter((update) => update.differs && !differs);
  return {
    outputs,
    complaints: [
      ...untold.map(({ name }) => `cdk diff does not tell of the update: ${name}`),
      ...judgeUpdate(updates, before, after),
    ],
  };
}

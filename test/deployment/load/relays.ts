import { runLoad } from '../../support/load-kill-verify/run-load.ts';
import { listedItems } from '../far-ends/undispatched.ts';
import type { Setting } from '../proof-run.ts';
import { holdStream, type ReadAgain } from './hold-reading.ts';
import type { ProofSubject } from './proof-subject.ts';

const tickMs = 1_000;

/** Stops the watcher of the store's tables, until what this returns is called. */
export async function stopWatcher(
  { calls }: Pick<Setting, 'calls'>,
  proof: ProofSubject,
): Promise<ReadAgain> {
  const held: ReadAgain[] = [];
  for (const table of ['OutboxTableName', 'SagaTableName']) {
    held.push(await holdStream(calls, proof.output(table)));
  }
  return async () => {
    for (const readAgain of held) await readAgain();
  };
}

/** Runs the relay of the store, whose watcher is stopped. @returns that it did not tell so, in words */
export async function relayUnwatched(
  { calls }: Pick<Setting, 'calls'>,
  proof: ProofSubject,
): Promise<string[]> {
  const told = await runRelay(calls, proof.output('OrdersRelayName'));
  return told?.includes('are not read')
    ? []
    : [
        `the relay told ${told ?? 'nothing'} while the watcher was stopped, and not that changes are not read`,
      ];
}

/**
 * Runs the relays besides their own runs, each minute, until their lists are empty.
 *
 * @returns the runs that failed, and what stayed on the lists, in words
 */
export async function relayAll(
  { calls, clients: { dynamoDB }, signal }: Setting,
  proof: ProofSubject,
): Promise<string[]> {
  const complaints: string[] = [];
  let listed: string[] = [];
  const look = async () => {
    for (const output of ['OrdersRelayName', 'StockRelayName']) {
      const name = proof.output(output);
      const error = await runRelay(calls, name);
      if (error !== undefined) complaints.push(`${name} failed: ${error}`);
    }
    listed = await listedItems(dynamoDB, proof.outboxTableNames);
    return { isSettled: listed.length === 0, progress: listed.length };
  };
  await runLoad({ look, tickMs }, signal);
  return [...new Set(complaints), ...listed.map((item) => `${item} is on the list of a relay`)];
}

/** @returns what the run failed with */
async function runRelay(calls: Setting['calls'], FunctionName: string): Promise<string | undefined> {
  const { FunctionError, Payload } = await calls.call<{ FunctionError?: string; Payload: string }>(
    'lambda',
    'invoke',
    { FunctionName, Payload: '{}' },
  );
  return FunctionError === undefined ? undefined : Payload;
}

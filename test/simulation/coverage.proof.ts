import { beforeAll, describe, expect, it } from '@jest/globals';
import { ports } from './call.ts';
import type { CheckResult } from './check-histories.ts';
import { checkInThreads, type ThreadRun } from './check-in-threads.ts';
import { describeFailure } from './describe-result.ts';
import { faults, lastFates } from './fates.ts';

/** Those with which so few histories have everything below. */
const FIXED_SEEDS = [101, 103, 112, 115, 116, 121, 127, 129, 143, 144, 146, 155] as const;
/** Of each seed. */
const RUNS = 250;
const TIMEOUT_MS = 1_200_000;

/** Some only wait, and make no call that can fail. */
const portsThatFail = ports.filter((port) => port !== 'pause' && port !== 'gather');

let fixed: CheckResult[];
/** Of all fixed seeds together. */
const counts: Record<string, number> = {};

beforeAll(async () => {
  const runs = FIXED_SEEDS.map((seed): [string, ThreadRun] => [`seed ${seed}`, { seed, runs: RUNS }]);
  const results = await checkInThreads<string>(Object.fromEntries(runs));
  fixed = runs.map(([name]) => results[name] as CheckResult);
  for (const [name, count] of fixed.flatMap((result) => Object.entries(result.counts)))
    counts[name] = (counts[name] ?? 0) + count;
}, TIMEOUT_MS);

/** All that is needed to repeat the failure, if there is one. */
function told({ failure }: CheckResult): string | undefined {
  return failure && describeFailure(failure);
}

describe('the histories of fixed seeds', () => {
  it('break no invariant', () => {
    expect(fixed.map(told)).toEqual(FIXED_SEEDS.map(() => undefined));
    expect(fixed.map((result) => result.runs)).toEqual(FIXED_SEEDS.map(() => RUNS));
  });

  it.each(ports)('let workers die at %s: before, after, and with the call under way', (port) => {
    const deaths = lastFates.map((fate) => counts[`crashed at ${port}, ${fate}`] ?? 0);
    expect(Math.min(...deaths)).toBeGreaterThan(0);
  });

  it.each(portsThatFail.flatMap((port) => faults.map((fault) => [fault, port] as const)))(
    'have %s: %s',
    (fault, port) => {
      expect(counts[`${fault}: ${port}`]).toBeGreaterThan(0);
    },
  );

  it.each([
    'stale: load',
    'partial: send',
    'arrived late: commit',
    'arrived late: send',
    'arrived late: mark',
    'arrived late: release',
    'commits refused',
    'shared commits',
    'shared commits refused',
    'shared commits without an answer',
    'commits of 2 messages',
    'commits of 3 messages',
    'commits of 4 messages',
    'commits of several messages refused',
    'commits that check a saga',
    'sends of messages that were committed together',
    'commits that create a saga',
    'commits that update a saga',
    'commits that complete a saga',
    'leases taken over',
    'leases of a crowd',
    'left behind: find',
    'left behind: commit',
    'left behind: send',
    'left behind: mark',
    'crashed asleep',
    'duplicates before the end',
    'duplicates after the end',
    'messages visible again',
    'redeliveries',
    'messages handled',
    'messages duplicate',
    'messages redispatched',
    'messages discarded',
    'messages failed',
    'messages sent again',
    'messages in dead letter queues',
    'messages in error queues',
    'messages ignored',
    'marks repeated',
    'relay runs',
    'records relayed',
    'batches of the stream',
    'batches of the stream that fail',
    'event source mappings made anew',
    'things listed',
    'messages behind a failed one',
    'schemas tightened',
    'discards',
    'discards refused: the message is committed',
    'discards refused: the message is discarded',
    'discards refused: the saga is not as it was read',
    'looks behind the end of their saga',
    'items shown before the answer',
    'reads before it is visible: saga',
    'reads before it is visible: record',
    'reads of an absent saga whose first record is visible',
    'torn reads: the saga, of a commit whose saga is created',
    'torn reads: the saga, of a commit whose saga is updated',
    'torn reads: the saga, of a commit whose saga is deleted',
    'torn reads: the record, of a commit whose saga is created',
    'torn reads: the record, of a commit whose saga is updated',
    'torn reads: the record, of a commit whose saga is deleted',
  ])('have several: %s', (name) => {
    expect(counts[name]).toBeGreaterThan(5);
  });
});

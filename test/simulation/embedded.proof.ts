import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CheckResult } from './check-histories.ts';
import { checkInThreads } from './check-in-threads.ts';
import { describeFailure } from './describe-result.ts';

const SEED = 14;
const RUNS = 400;
const TIMEOUT_MS = 1_200_000;

describe('the histories of a saga with an embedded outbox', () => {
  let result: CheckResult;

  beforeAll(async () => {
    ({ embedded: result } = await checkInThreads({
      embedded: { seed: SEED, runs: RUNS, outbox: 'embedded' },
    }));
  }, TIMEOUT_MS);

  it('break no invariant', () => {
    expect(result.failure && describeFailure(result.failure)).toBeUndefined();
    expect(result.runs).toBe(RUNS);
  });

  it.each([
    'stale: load',
    'lost: commit',
    'late: commit',
    'refused: mark',
    'lost: mark',
    'crashed at mark, dropped',
    'crashed at mark, applied',
    'leases taken over',
    'shared commits',
    'commits of 3 messages',
    'commits that leave a state',
    'commits that leave a tombstone',
    'commits on an expired tombstone',
    'commits that do not fit into the item',
    'commits of a full inbox',
    'commits of a full inbox on a tombstone',
    'starts on a tombstone',
    'tombstones written again',
    'tombstones that a mark lets expire',
    'tombstones deleted by their time to live',
    'marks that let a tombstone expire',
    'progress kept in an item',
    'entries relayed',
    'copies at the end of the deduplication period',
    'messages redispatched',
    'messages duplicate',
    'messages discarded',
    'messages ignored',
    'reads before it is visible: saga',
    'reads before it is visible: record',
    'torn reads: the saga, of a commit whose saga is created',
    'torn reads: the saga, of a commit whose saga is updated',
  ])('have some: %s', (name) => {
    expect(result.counts[name]).toBeGreaterThan(0);
  });
});

import { randomInt } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CheckResult } from './check-histories.ts';
import { checkInThread } from './check-in-thread.ts';
import { describeFailure } from './describe-result.ts';

const FIXED_SEED = 10;
const FIXED_RUNS = 400;
const FRESH_RUNS = 100;
const TIMEOUT_MS = 300_000;
const outbox = 'embedded';

/** All that is needed to repeat the failure, if there is one. */
function told(result: CheckResult | undefined): string | undefined {
  return result?.failure && describeFailure(result.failure);
}

describe('histories of a saga with an embedded outbox', () => {
  let results: Record<'fixed' | 'fresh', CheckResult>;

  beforeAll(async () => {
    results = await checkInThread({
      fixed: { seed: FIXED_SEED, runs: FIXED_RUNS, outbox },
      fresh: { seed: randomInt(2 ** 31), runs: FRESH_RUNS, outbox },
    });
  }, TIMEOUT_MS);

  it.each(['fixed', 'fresh'] as const)('of a %s seed break no invariant', (name) => {
    expect(told(results[name])).toBeUndefined();
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
  ])('of a fixed seed have some: %s', (name) => {
    expect(results.fixed.counts[name]).toBeGreaterThan(0);
  });
});

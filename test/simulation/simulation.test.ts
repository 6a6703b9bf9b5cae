import { randomInt } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { ports } from './call.ts';
import { type CheckResult, checkHistories } from './check-histories.ts';
import { describeFailure } from './describe-result.ts';
import { faults, lastFates } from './fates.ts';
import { modes } from './scenario.ts';

const FIXED_SEED = 6;
const FIXED_RUNS = 12_000;
const FRESH_RUNS = 8_000;
const TIMEOUT_MS = 600_000;

/** Nothing, or all that is needed to repeat it. */
function told({ failure }: CheckResult): string | undefined {
  return failure && describeFailure(failure);
}

/** A handler's pause is its own, and no call that can fail. */
const portsThatFail = ports.filter((port) => port !== 'pause');

describe('the histories of a fixed seed', () => {
  let result: CheckResult;

  beforeAll(async () => {
    result = await checkHistories({ seed: FIXED_SEED, runs: FIXED_RUNS });
  }, TIMEOUT_MS);

  it('break no invariant', () => {
    expect(told(result)).toBeUndefined();
    expect(result.runs).toBe(FIXED_RUNS);
  });

  it.each(ports)('let workers die at %s: before, after, and with the call under way', (port) => {
    const { coverage } = result;
    const deaths = lastFates.map((fate) => coverage.of(`crashed at ${port}, ${fate}`));
    expect(Math.min(...deaths)).toBeGreaterThan(0);
  });

  it.each(portsThatFail.flatMap((port) => faults.map((fault) => [fault, port] as const)))(
    'have %s: %s',
    (fault, port) => {
      expect(result.coverage.of(`${fault}: ${port}`)).toBeGreaterThan(0);
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
    'commits that create a saga',
    'commits that update a saga',
    'commits that complete a saga',
    'leases taken over',
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
  ])('have many: %s', (name) => {
    expect(result.coverage.of(name)).toBeGreaterThan(10);
  });
});

it(
  'the histories of a fresh seed break no invariant',
  async () => {
    const result = await checkHistories({ seed: randomInt(2 ** 31), runs: FRESH_RUNS });
    // It tells the seed.
    expect(told(result)).toBeUndefined();
    expect(result.runs).toBe(FRESH_RUNS);
  },
  TIMEOUT_MS,
);

describe('a seed', () => {
  it('makes the same histories each time', async () => {
    const [first, second, other] = [
      await checkHistories({ seed: 7, runs: 60 }),
      await checkHistories({ seed: 7, runs: 60 }),
      await checkHistories({ seed: 8, runs: 60 }),
    ];
    expect([...second.coverage.counts]).toEqual([...first.coverage.counts]);
    expect([...other.coverage.counts]).not.toEqual([...first.coverage.counts]);
  });

  it.each(modes)('makes histories of one mode when it is asked to: %s', async (mode) => {
    const { coverage } = await checkHistories({ seed: 9, runs: 150, modes: [mode] });
    expect(coverage.of('stale: load') > 0).toBe(mode === 'eventual');
    expect(coverage.of('commits under a lease') > 0).toBe(mode === 'pessimistic' || mode === 'mixed');
    expect(coverage.of('commits without a lease') > 0).toBe(mode !== 'pessimistic');
  });

  it('makes no more histories once it is interrupted', async () => {
    const { runs } = await checkHistories({ seed: 1, runs: 1_000, signal: AbortSignal.abort() });
    expect(runs).toBe(0);
  });
});

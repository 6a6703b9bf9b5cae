import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SagaboxError } from 'sagabox';
import { type MessageShape, planMessage } from 'sagabox/capacity';
import { sum } from '../../lib/capacity/steps.ts';
import { samples } from '../support/samples.ts';
import { anyShape, impossibleNumbers } from './any-shape.ts';

const seed = 20260104;
const worked: MessageShape = { sagaBytes: 1_000, outgoing: 3, messageBytes: 500 };

function step(shape: MessageShape, name: string) {
  return planMessage(shape).steps.filter((one) => one.step === name);
}

describe('the plan of a message', () => {
  it('tells each step, its call and its table', () => {
    const rows = planMessage(worked).steps.map(({ step, operation, table, calls, items, rcu, wcu }) => [
      [step, operation, table],
      { calls, items, rcu, wcu },
    ]);
    expect(rows).toEqual([
      [['dedup check', 'BatchGetItem', 'outbox'], { calls: 1, items: 1, rcu: 1, wcu: 0 }],
      [['load', 'BatchGetItem', 'saga'], { calls: 0, items: 1, rcu: 1, wcu: 0 }],
      [['commit', 'TransactWriteItems', 'saga'], { calls: 1, items: 1, rcu: 0, wcu: 2 }],
      [['commit', 'TransactWriteItems', 'outbox'], { calls: 0, items: 1, rcu: 0, wcu: 2 }],
      [['dispatch', 'SendMessageBatch', undefined], { calls: 1, items: 3, rcu: 0, wcu: 0 }],
      [['mark', 'BatchWriteItem', 'outbox'], { calls: 1, items: 1, rcu: 0, wcu: 1 }],
    ]);
  });

  it.each([
    [{ ...worked, outgoing: 0 }, 2, 4],
    [{ ...worked, outgoing: 1 }, 2, 5],
    [{ ...worked, outgoing: 3 }, 2, 5],
    [{ ...worked, outgoing: 10 }, 2, 8],
    [{ ...worked, outgoing: 10, compressionRatio: 0.5 }, 2, 5],
    [{ outgoing: 1, sagaBytes: 10_000, sagaCompressionRatio: 1 }, 4, 23],
    [{ outgoing: 1, sagaBytes: 10_000, sagaCompressionRatio: 0.309 }, 2, 11],
    [{ outgoing: 1, sagaBytes: 100_000, sagaCompressionRatio: 0.257 }, 8, 55],
    [{ outgoing: 1, sagaBytes: 1_024, sagaCompressionRatio: 0.5 }, 2, 5],
    [{ outgoing: 1, sagaBytes: 1_025, sagaCompressionRatio: 0.999 }, 2, 5],
    [{ outgoing: 1, sagaBytes: 1_025, sagaCompressionRatio: 1 }, 2, 7],
    [{ outgoing: 1, sagaBytes: 2_048, sagaCompressionRatio: 1.5 }, 2, 7],
  ])('takes for %j %i RCU and %i WCU', (shape, rcu, wcu) => {
    expect(planMessage(shape).newMessage).toMatchObject({ rcu, wcu });
  });

  it('compresses a saga under lock where that saves a unit with the lease', () => {
    const shape = { sagaBytes: 961, sagaCompressionRatio: 0.9, locking: 'pessimistic' } as const;
    expect(step(shape, 'lock')).toMatchObject([{ wcu: 1 }]);
    expect(step({ ...shape, sagaCompressionRatio: 1 }, 'lock')).toMatchObject([{ wcu: 2 }]);
  });

  it('has nothing left to mark when nothing is sent', () => {
    const plan = planMessage({ sagaBytes: 1_000 });
    expect(plan.steps.map(({ step }) => step)).toEqual(['dedup check', 'load', 'commit', 'commit']);
    expect(plan.storedItemBytes).toEqual([216]);
    expect(plan.dispatchedRecordBytes).toBe(216);
  });

  it.each([
    ['the record alone', { outgoing: 1 }, 'PutItem', 1],
    ['a saga alone', { sagaBytes: 3_000, outbox: false }, 'PutItem', 3],
    [
      'a completed saga alone',
      { sagaBytes: 3_000, outbox: false, sagaChange: 'complete' },
      'TransactWriteItems',
      6,
    ],
    ['both', { sagaBytes: 3_000 }, 'TransactWriteItems', 2 * (3 + 1)],
  ] as const)('commits %s at half the price when it is one write', (_what, shape, operation, wcu) => {
    const commit = step(shape, 'commit');
    expect(commit.map((one) => one.operation)).toEqual(commit.map(() => operation));
    expect(commit.reduce((sum, one) => sum + one.wcu, 0)).toBe(wcu);
  });

  it.each([
    [959, 1],
    [960, 1],
    [961, 2],
  ])('counts the 64 bytes of a lease: a saga of %i bytes is locked for %i WCU', (sagaBytes, wcu) => {
    const shape = { sagaBytes, locking: 'pessimistic' } as const;
    expect(step(shape, 'lock')).toMatchObject([{ calls: 1, wcu }]);
    expect(step(shape, 'commit')[0]).toMatchObject({ wcu: 2 * wcu });
    expect(step({ ...shape, lockAttempts: 2.5 }, 'lock')).toMatchObject([{ calls: 2.5, wcu: 2.5 * wcu }]);
  });

  it('reads a saga in a call of its own when one table is read in two ways', () => {
    const shape = { ...worked, locking: 'eventual' } as const;
    const load = (sharedTable: boolean) =>
      planMessage(shape, { sharedTable }).steps.find((one) => one.step === 'load');
    expect(load(false)).toMatchObject({ calls: 0, rcu: 0.5 });
    expect(load(true)).toMatchObject({ calls: 1, rcu: 0.5 });
  });

  it('reads a saga once more that was read with eventual consistency and is not written', () => {
    const shape = { ...worked, sagaBytes: 5000, sagaChange: 'none' } as const;
    expect(step({ ...shape, locking: 'eventual' }, 'load')).toMatchObject([{ rcu: 1 }, { calls: 1, rcu: 2 }]);
    expect(step({ ...shape, locking: 'eventual', sagaChange: 'update' }, 'load')).toMatchObject([{ rcu: 1 }]);
    expect(step(shape, 'load')).toMatchObject([{ rcu: 2 }]);
  });

  it.each([
    [10, 500, 1, 1],
    [11, 500, 1, 2],
    [11, 500, 2, 2],
    [12, 500, 5, 5],
    [3, 500, 5, 3],
    [10, 104_857, 1, 1],
    [10, 104_858, 1, 2],
  ])(
    'sends %i messages of %i bytes to %i queues in %i calls',
    (outgoing, messageBytes, destinations, calls) => {
      expect(step({ outgoing, messageBytes, destinations }, 'dispatch')).toMatchObject([
        { calls, items: outgoing },
      ]);
    },
  );

  it.each<[layout: MessageShape, atNone: number, one: number, three: number, ten: number]>([
    [{ sagaBytes: 1000 }, 4, 5, 5, 5],
    [{ sagaBytes: 1000, layout: 'embedded', sagaCompressionRatio: 0.65 }, 1, 2, 4, 4],
    [{}, 1, 2, 2, 2],
  ])(
    'of %j takes %i WCU, and %i, %i or %i if it sends one, three or ten that compress',
    (shape, ...units) => {
      const sending = ([0, 1, 3, 10] as const).map((outgoing) => {
        const compressionRatio = outgoing === 10 ? 1 / 3 : 1;
        return planMessage({ ...shape, outgoing, compressionRatio }).newMessage.wcu;
      });
      expect(sending).toEqual(units);
    },
  );

  it('writes what is appended beside the saga, without a lease or a write of it', () => {
    const shape = { sagaBytes: 1000, locking: 'pessimistic', appended: 2, contributionBytes: 1025 } as const;
    const { perTable, steps } = planMessage(shape);
    expect(steps.map((each) => each.step)).toEqual(['dedup check', 'load', 'commit', 'commit']);
    expect(perTable).toMatchObject({ saga: { rcu: 1, wcu: 8 }, outbox: { rcu: 1, wcu: 2 } });
  });

  it('reads what is collected in pages of 1 MB, and deletes it with the write of the saga', () => {
    const shape = { sagaBytes: 1000, collected: 11, contributionBytes: 102_400 } as const;
    expect(step(shape, 'collect')).toMatchObject([{ operation: 'Query', calls: 2, items: 11, rcu: 275 }]);
    expect(step(shape, 'commit')).toMatchObject([
      { items: 12, wcu: 2 + 11 * 200 },
      { items: 1, wcu: 2 },
    ]);
  });

  it('repeats the whole set for each conflict', () => {
    const { perMessage } = planMessage({ ...worked, conflictRate: 0.2 });
    expect(perMessage).toEqual({ rcu: 2.5, wcu: 6.25, calls: 5, refusedWcu: expect.any(Number) });
  });

  it.each([
    [{ conflictRate: 0.2 }, 4 / 4],
    [{ conflictRate: 0.2, duplicateRate: 0.5 }, 4 / 4 / 2],
    [{ locking: 'pessimistic', lockAttempts: 3 }, 2 * 2],
    [{ locking: 'pessimistic', lockAttempts: 3, layout: 'embedded' }, 2 * 2],
    [{ locking: 'pessimistic', lockAttempts: 3, conflictRate: 0.2 }, (2 * 2 * 5) / 4 + 6 / 4],
    [{}, undefined],
  ] as const)('tells what refused commits and attempts at a lease take: %j', (changed, refusedWcu) => {
    const { perMessage } = planMessage({ ...worked, ...changed });
    expect(perMessage.refusedWcu ?? 0).toBeCloseTo(refusedWcu ?? 0, 10);
    expect('refusedWcu' in perMessage).toBe(refusedWcu !== undefined);
  });

  it('prices the lease that a discard is refused as a write of nothing', () => {
    const { discard } = planMessage({ ...worked, locking: 'pessimistic' });
    expect(discard.steps).toContainEqual(expect.objectContaining({ step: 'lock', wcu: 1, refusedWcu: 1 }));
  });

  it('weighs duplicates with what they take', () => {
    const { duplicate, perMessage, perTable } = planMessage({ ...worked, duplicateRate: 0.25 });
    expect(duplicate).toMatchObject({ rcu: 2, wcu: 0, calls: 1 });
    expect(perMessage).toEqual({ rcu: 2, wcu: 3.75, calls: 3.25 });
    expect(perTable).toEqual({ saga: { rcu: 1, wcu: 1.5 }, outbox: { rcu: 1, wcu: 2.25 } });
    const pessimistic = planMessage({ ...worked, locking: 'pessimistic' });
    expect(pessimistic.duplicate).toMatchObject({ rcu: 1, wcu: 0, calls: 1 });
  });

  it('knows no duplicates without an outbox', () => {
    const { duplicate, newMessage, perTable } = planMessage({ ...worked, outbox: false, duplicateRate: 0.5 });
    expect(duplicate).toMatchObject(newMessage);
    expect(perTable.outbox).toEqual({ rcu: 0, wcu: 0 });
  });

  it(`is made of finite numbers that add up, or refused (seed ${seed})`, () => {
    let refused = 0;
    const property = fc.property(anyShape, fc.boolean(), (shape, sharedTable) => {
      let plan: ReturnType<typeof planMessage>;
      try {
        plan = planMessage(shape, { sharedTable });
      } catch (error) {
        refused += 1;
        expect(error).toMatchObject({ code: 'Configuration', cause: expect.any(SagaboxError) });
        return;
      }
      expect(impossibleNumbers(plan)).toEqual([]);
      const { perMessage, perTable } = plan;
      expect(perTable.saga.rcu + perTable.outbox.rcu).toBeCloseTo(perMessage.rcu, 6);
      const writes = sum(Object.values(perTable), ({ wcu }) => wcu);
      expect(writes / perMessage.wcu || 1).toBeCloseTo(1, 9);
    });
    fc.assert(property, { seed, numRuns: samples(1_000) });
    expect(refused).toBeGreaterThan(0);
    expect(refused).toBeLessThan(samples(700));
  });

  it('is refused with every problem at once', () => {
    const shape = { sagaBytes: -1, outgoing: 1.5, messageBytes: 0, locking: 'none', sagasize: 3 };
    const plan = () => planMessage(shape as unknown as MessageShape);
    expect(plan).toThrow(expect.objectContaining({ code: 'Configuration' }));
    expect(plan).toThrow(
      /sagaBytes: -1 is .*outgoing: 1\.5 is .*messageBytes: 0 is .*locking: "none" is not known\. Use 'optimistic' or 'eventual' or 'pessimistic'\. sagasize: there is no such setting/,
    );
  });
});

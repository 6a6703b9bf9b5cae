import { describe, expect, it } from '@jest/globals';
import { type MessageShape, planMessage } from 'sagabox/capacity';
import { embeddedItemBytes } from '../../../lib/capacity/embedded/embedded-item-bytes.ts';
import { wholeShape } from '../../../lib/capacity/shape-defaults.ts';
import { limits } from '../../../lib/kernel/limits.ts';
import { maxItemBytes } from '../../../lib/outbox/embedded/embedded-write.ts';

const saga: MessageShape = { layout: 'embedded', sagaBytes: 1_000, sagaCompressionRatio: 0.65 };
const sending: MessageShape = { ...saga, outgoing: 3, compressionRatio: 0.7 };

describe('the plan of a message whose saga has an embedded outbox', () => {
  it('tells each step, of one item', () => {
    const rows = planMessage(sending).steps.map(({ step, operation, table, rcu, wcu }) => [
      ...[step, operation, table, rcu, wcu],
    ]);
    expect(rows).toEqual([
      ['load', 'BatchGetItem', 'saga', 0.5, 0],
      ['commit', 'UpdateItem', 'saga', 0, 2],
      ['dispatch', 'SendMessageBatch', undefined, 0, 0],
      ['mark', 'UpdateItem', 'saga', 0, 2],
    ]);
  });

  it.each<[string, MessageShape, rcu: number, wcu: number]>([
    ['nothing sent', saga, 0.5, 1],
    ['30 live ids', { ...saga, liveIds: 30 }, 0.5, 2],
    ['a lease', { ...saga, locking: 'pessimistic' }, 0, 2],
    ['a saga that begins', { ...saga, sagaChange: 'create' }, 0.5, 1],
    ['a saga that ends, and leaves its ids', { ...sending, sagaChange: 'complete' }, 0.5, 2],
    ['a message that only reads', { ...saga, sagaChange: 'none' }, 0.5, 1],
    ['an inbox that is full', { ...saga, liveIds: 256 }, 1, 12],
    ['the next one, which looks for its record', { ...saga, liveIds: 257 }, 2, 12],
  ])('takes for %s as much as measured: %j', (_of, shape, rcu, wcu) => {
    expect(planMessage(shape).newMessage).toMatchObject({ rcu, wcu });
  });

  it('reads the saga again, consistently, for a handler that fails, but for one that holds a lease', () => {
    const failedBy = (shape: MessageShape) =>
      planMessage(shape).failedHandler.steps.map(({ step, rcu, wcu }) => [step, rcu, wcu]);
    expect(failedBy(saga)).toEqual([
      ['load', 0.5, 0],
      ['load', 1, 0],
    ]);
    expect(failedBy({ ...saga, locking: 'pessimistic' })).toEqual([
      ['lock', 0, 1],
      ['release', 0, 1],
    ]);
  });

  it('has a record for what does not fit beside the state that a saga begins with', () => {
    const large: MessageShape = {
      layout: 'embedded',
      sagaBytes: 385 * 1024,
      sagaChange: 'create',
      outgoing: 1,
    };
    const commitOf = (messageBytes: number) =>
      planMessage({ ...large, messageBytes }).steps.find(({ step }) => step === 'commit')?.operation;
    expect([1_000, 20_000].map(commitOf)).toEqual(['UpdateItem', 'TransactWriteItems']);
  });

  it.each<[MessageShape, largest: number]>([
    [{ layout: 'embedded' }, maxItemBytes(true)],
    [{ layout: 'embedded', locking: 'pessimistic' }, maxItemBytes(true)],
    [{ layout: 'embedded', sagaChange: 'none' }, limits.itemBytes],
  ])('of %j leaves as much room in the item as the runtime does: up to %i bytes', (shape, largest) => {
    const plan = (sagaBytes: number) => () => planMessage({ ...shape, sagaBytes });
    // What the item has more than one with outbox records.
    const others = embeddedItemBytes(wholeShape({ ...shape, sagaBytes: 10_000 })).committed - 10_000;
    expect(plan(largest - others)).not.toThrow();
    expect(plan(largest - others + 1)).toThrow(`over its maximum of ${largest}`);
  });

  it('looks twice for a saga that is not there, and commits its discard in one write', () => {
    expect(planMessage(saga).discard).toMatchObject({ calls: 3, rcu: 1.5, wcu: 1 });
  });
});

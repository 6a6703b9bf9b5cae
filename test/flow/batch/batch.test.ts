import { describe, expect, it } from '@jest/globals';
import { type BatchRecord, processBatch, type RecordOutcome } from '../../../lib/flow/batch/batch.ts';

const standard = (messageId: string, group?: string): BatchRecord => ({
  messageId,
  attributes: { MessageGroupId: group },
  eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:orders',
});
const fifo = (messageId: string, group: string): BatchRecord => ({
  ...standard(messageId, group),
  eventSourceARN: 'arn:aws:sqs:us-east-1:000000000000:orders.fifo',
});

/** Runs a batch whose records end when the test says so. */
function controlledBatch(records: readonly BatchRecord[], concurrency: number) {
  const started: string[] = [];
  const ends = new Map<string, PromiseWithResolvers<RecordOutcome>>();
  const done = processBatch(records, concurrency, async ({ messageId }) => {
    started.push(messageId);
    const end = Promise.withResolvers<RecordOutcome>();
    ends.set(messageId, end);
    return await end.promise;
  });
  return {
    started,
    finish(...ids: string[]) {
      for (const id of ids) ends.get(id)?.resolve('acknowledged');
    },
    fail: (id: string, retryInSeconds = 7) => ends.get(id)?.resolve({ retryInSeconds }),
    failLastDelivery: (id: string) => ends.get(id)?.resolve({ retryInSeconds: 7, leavesQueue: true }),
    break: (id: string) => ends.get(id)?.reject(new Error(id)),
    failedIds: async () => (await done).map(({ record }) => record.messageId),
    delays: async () =>
      Object.fromEntries(
        (await done).map(({ record, retryInSeconds }) => [record.messageId, retryInSeconds]),
      ),
  };
}

const settled = async () => await new Promise((resolve) => setImmediate(resolve));

describe('processBatch', () => {
  it('runs as many records at a time as it may, and no more', async () => {
    const batch = controlledBatch([standard('a'), standard('b'), standard('c')], 2);
    await settled();
    expect(batch.started).toEqual(['a', 'b']);

    batch.finish('b');
    await settled();
    expect(batch.started).toEqual(['a', 'b', 'c']);

    batch.finish('a', 'c');
    expect(await batch.failedIds()).toEqual([]);
  });

  it('fails only the record that failed', async () => {
    const batch = controlledBatch([standard('a'), standard('b'), standard('c')], 10);
    await settled();
    batch.finish('a');
    batch.fail('b');
    batch.finish('c');
    expect(await batch.failedIds()).toEqual(['b']);
  });

  it('runs the records of one FIFO group in order, and of other groups meanwhile', async () => {
    const batch = controlledBatch([fifo('a1', 'a'), fifo('a2', 'a'), fifo('b1', 'b')], 10);
    await settled();
    expect(batch.started).toEqual(['a1', 'b1']);

    batch.finish('a1');
    await settled();
    expect(batch.started).toEqual(['a1', 'b1', 'a2']);
    batch.finish('a2', 'b1');
    expect(await batch.failedIds()).toEqual([]);
  });

  it('returns what stands behind a failed record of its FIFO group without running it', async () => {
    const batch = controlledBatch([fifo('a1', 'a'), fifo('b1', 'b'), fifo('a2', 'a'), fifo('a3', 'a')], 10);
    await settled();
    batch.fail('a1');
    batch.finish('b1');
    expect(await batch.failedIds()).toEqual(['a1', 'a2', 'a3']);
    expect(batch.started).toEqual(['a1', 'b1']);
  });

  it('returns each place of a group once, also where one record stands in two', async () => {
    const twice = fifo('a1', 'a');
    const outcomes: RecordOutcome[] = ['acknowledged', 'acknowledged', { retryInSeconds: 7 }];
    const returned = await processBatch(
      [twice, fifo('a2', 'a'), twice, fifo('a3', 'a')],
      10,
      async () => outcomes.shift() ?? 'acknowledged',
    );
    expect(returned.map(({ record }) => record.messageId)).toEqual(['a1', 'a3']);
  });

  it('lets what stands behind a failed record of its FIFO group come back with it', async () => {
    const batch = controlledBatch([fifo('a1', 'a'), fifo('b1', 'b'), fifo('a2', 'a'), fifo('b2', 'b')], 10);
    await settled();
    batch.fail('a1', 30);
    batch.finish('b1');
    await settled();
    batch.fail('b2', 0);
    expect(await batch.delays()).toEqual({ a1: 30, a2: 30, b2: 0 });
  });

  it('goes on behind a record of a FIFO group that leaves the queue', async () => {
    const batch = controlledBatch([fifo('a1', 'a'), fifo('a2', 'a'), fifo('a3', 'a'), fifo('a4', 'a')], 10);
    await settled();
    batch.failLastDelivery('a1');
    await settled();
    expect(batch.started).toEqual(['a1', 'a2']);
    batch.finish('a2');
    await settled();
    batch.fail('a3', 30);
    expect(await batch.delays()).toEqual({ a1: 7, a3: 30, a4: 30 });
    expect(batch.started).toEqual(['a1', 'a2', 'a3']);
  });

  it('returns only the record whose run breaks, with no delay of its own', async () => {
    const batch = controlledBatch([standard('a'), standard('b')], 10);
    await settled();
    batch.break('a');
    batch.finish('b');
    expect(await batch.delays()).toEqual({ a: undefined });
  });

  it('takes the group of a standard queue for no order', async () => {
    const batch = controlledBatch([standard('a', 'tenant'), standard('b', 'tenant')], 10);
    await settled();
    expect(batch.started).toEqual(['a', 'b']);
    batch.fail('a');
    batch.finish('b');
    expect(await batch.failedIds()).toEqual(['a']);
  });

  it('survives records without attributes', async () => {
    const batch = controlledBatch([{ messageId: 'bare' }], 10);
    await settled();
    batch.finish('bare');
    expect(await batch.failedIds()).toEqual([]);
  });
});

describe('a record that is not as SQS makes it', () => {
  it.each([5, {}, null])('has a lane of its own where it names no queue: %p', async (eventSourceARN) => {
    const odd = { ...fifo('odd', 'g'), eventSourceARN } as unknown as BatchRecord;
    const batch = controlledBatch([odd, fifo('a', 'g')], 10);
    await settled();
    expect(batch.started).toEqual(['odd', 'a']);
    batch.fail('odd');
    batch.finish('a');
    expect(await batch.failedIds()).toEqual(['odd']);
  });

  it('has a lane of its own where its group is no text', async () => {
    const odd = { ...fifo('odd', 'g'), attributes: { MessageGroupId: { toString: 1 } } };
    const batch = controlledBatch([odd as unknown as BatchRecord, fifo('a', 'g')], 10);
    await settled();
    expect(batch.started).toEqual(['odd', 'a']);
    batch.finish('odd', 'a');
    expect(await batch.failedIds()).toEqual([]);
  });
});

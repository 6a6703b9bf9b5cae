import { describe, expect, it } from '@jest/globals';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import { at, commitOf, orderSaga, outboxWrite, storedRecord, userPut } from '../support/commits.ts';
import { createTable } from '../support/engines.ts';
import { sagaboxErrorOf } from '../support/error-of.ts';
import { operationsOfSize, outgoingMessage } from '../support/outgoing-messages.ts';
import { sagaCreation } from '../support/saga-writes.ts';
import { storeForEachTest } from '../support/test-store.ts';

const store = storeForEachTest();
const { faults } = store;

/** What a use of the ports adds to the meter, on top of what it has. */
async function metered(use: (meter: CapacityMeter) => Promise<unknown>) {
  const meter = new CapacityMeter();
  meter.addRead(100);
  meter.addWrite(1000);
  await use(meter);
  return { readUnits: meter.total.readUnits - 100, writeUnits: meter.total.writeUnits - 1000 };
}

const commit = (parts: Parameters<typeof commitOf>[0]) => (meter: CapacityMeter) =>
  store.ports.committer.commit(commitOf(parts), meter);

const loading = (meter: CapacityMeter) => store.ports.sagas.load(orderSaga, meter);
const finding = (meter: CapacityMeter) => store.ports.outbox.find('in-1', meter);

describe('the capacity of', () => {
  it('a read of nothing is one unit, and of 4 KB and a bit two', async () => {
    expect(await metered(loading)).toEqual({ readUnits: 1, writeUnits: 0 });
    expect(await metered(finding)).toEqual({ readUnits: 1, writeUnits: 0 });

    await metered(commit(sagaCreation({ text: 'x'.repeat(4096) })));
    await metered(commit(storedRecord('in-1', operationsOfSize(4096))));
    expect(await metered(loading)).toEqual({ readUnits: 2, writeUnits: 0 });
    expect(await metered(finding)).toEqual({ readUnits: 2, writeUnits: 0 });
  });

  it('a plain write is one unit for each KB', async () => {
    const small = await metered(commit(sagaCreation({})));
    expect(small).toEqual({ readUnits: 0, writeUnits: 1 });
    const larger = await metered(commit(storedRecord('in-1', operationsOfSize(2 * 1024))));
    expect(larger).toEqual({ readUnits: 0, writeUnits: 3 });
  });

  it('a mark is that of the record as it was, and of its chunks', async () => {
    const record = outboxWrite('in-1', operationsOfSize(2 * 1024));
    await metered(commit({ outbox: record }));
    const marked = await metered((meter) => store.ports.outbox.markDispatched(record, at, meter));
    expect(marked).toEqual({ readUnits: 0, writeUnits: 3 });

    const chunked = outboxWrite('in-2', operationsOfSize(2 * 350 * 1024, 'x', 'in-2'));
    await metered(commit({ outbox: chunked }));
    const withChunks = await metered((meter) => store.ports.outbox.markDispatched(chunked, at, meter));
    // 350 KB and the key and names of the item, twice, and the record.
    expect(withChunks).toEqual({ readUnits: 0, writeUnits: 1 + 2 * 351 + 1 });
  });

  it('a read of chunks is that of the record and of the queries', async () => {
    await metered(commit(storedRecord('in-1', operationsOfSize(4 * 350 * 1024))));
    faults.reset();
    const found = await metered((meter) => store.ports.outbox.find('in-1', meter));
    const reported = faults.requests
      .flatMap(({ output }) => output.ConsumedCapacity)
      .map(({ CapacityUnits }) => CapacityUnits as number);
    expect(reported.length).toBeGreaterThan(2);
    expect(found).toEqual({ readUnits: reported.reduce((sum, units) => sum + units, 0), writeUnits: 0 });
    expect(found.readUnits).toBeGreaterThanOrEqual((4 * 350) / 4);
  });

  it('a transaction is that of all its tables', async () => {
    const otherTable = await createTable();
    const capacity = await metered(
      commit({
        ...sagaCreation({ text: 'x'.repeat(3000) }),
        outbox: outboxWrite('in-1', [outgoingMessage()]),
        transactionItems: [userPut(otherTable, 'USER#1')],
      }),
    );
    const [request] = faults.requests;
    const reported: { TableName: string; CapacityUnits: number }[] = request?.output.ConsumedCapacity;
    expect(reported.map(({ TableName }) => TableName).toSorted()).toEqual(
      [otherTable, store.tableName].toSorted(),
    );
    expect(capacity.readUnits).toBe(0);
    expect(capacity.writeUnits).toBe(reported.reduce((sum, { CapacityUnits }) => sum + CapacityUnits, 0));
    expect(capacity.writeUnits).toBeGreaterThanOrEqual(2 * (4 + 1 + 1));
  });

  it('a batch of deletes that DynamoDB does in two goes is that of both', async () => {
    const record = outboxWrite('in-1', operationsOfSize(350 * 1024 + 1));
    await metered(commit({ outbox: record }));
    faults.plan('BatchWriteItem', async (input) => ({
      $metadata: {},
      ConsumedCapacity: [{ TableName: store.tableName, CapacityUnits: 7 }],
      UnprocessedItems: input.RequestItems,
    }));
    const capacity = await metered((meter) => store.ports.outbox.markDispatched(record, at, meter));
    // The progress and the record, what is reported for the first go, and two chunks of 351 KB and 1 KB.
    expect(capacity).toEqual({ readUnits: 0, writeUnits: 1 + 1 + 7 + 351 + 1 });
  });

  it('a call that reports none is nothing', async () => {
    faults.answer('BatchGetItem', {});
    expect(await metered(loading)).toEqual({ readUnits: 0, writeUnits: 0 });
    faults.answer('TransactWriteItems', {});
    const nothing = await metered(commit({ transactionItems: [userPut(store.tableName, 'USER#1')] }));
    expect(nothing).toEqual({ readUnits: 0, writeUnits: 0 });
  });

  it('a write that is refused is not known', async () => {
    await metered(commit(storedRecord('in-1')));
    const meter = new CapacityMeter();
    await sagaboxErrorOf(commit(storedRecord('in-1'))(meter));
    expect(meter.total).toEqual({ readUnits: 0, writeUnits: 0 });
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CreateHandlerOptions, defineSaga } from 'sagabox';
import { z } from 'zod';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';
import { ClientFaults } from '../support/faults.ts';
import { drain, record } from '../support/queue.ts';
import { allItems } from '../support/raw-items.ts';
import { returnedIds } from '../support/returned-ids.ts';
import { modes } from './modes.ts';

/*
 * A message that no saga waits for is discarded by a commit: an empty record, with a check of the saga. Each
 * of these histories lost a message, or applied one that was acknowledged, while a discard left no trace.
 */

const body = z.object({ order: z.string() });
/** Whoever looks at an order waits here, and then sends what was seen. */
let whileLooking: () => Promise<void>;
const orderSaga = defineSaga({
  name: 'Order',
  messages: { Placed: body, Looked: body, Closed: body },
  correlate: { Placed: (m) => m.order, Looked: (m) => m.order, Closed: (m) => m.order },
  startedBy: ['Placed'],
  initialState: () => ({ open: true }),
  handlers: {
    Placed(_message, { saga }) {
      saga.state.open = true;
    },
    async Looked(_message, { send }) {
      await whileLooking();
      send('seen', 'OrderSeen', {});
    },
    Closed: (_message, { saga }) => saga.complete(),
  },
});

const queues = sqsClient();

let table: string;
let seen: string;
beforeEach(async () => {
  whileLooking = async () => {};
  [table, seen] = await Promise.all([createTable(), createQueue()]);
});

/** A function of its own. @returns the ids of the messages that it returned to the queue */
async function deliver(
  type: 'Placed' | 'Looked' | 'Closed',
  id: string,
  options: CreateHandlerOptions = {},
  prepare: (faults: ClientFaults) => void = () => {},
): Promise<string[]> {
  const ofFunction = { dynamoDBClient: dynamoDBClient(), sqsClient: sqsClient() };
  prepare(new ClientFaults(ofFunction.dynamoDBClient));
  const records = [record(type, { order: '7' }, id)];
  const settings = { endpoint: 'orders', destinations: { seen }, ...ofFunction, ...options };
  return await returnedIds(orderSaga, table, records, settings);
}

async function storedKeys(): Promise<string[]> {
  const client = dynamoDBClient();
  return (await allItems(client, table)).map(({ PK }) => PK?.S ?? '').toSorted();
}

describe.each(modes)('I1, I2, I5: a message that no saga waits for in $name mode', ({ locking }) => {
  const inMode = { locking };

  it('is discarded while an earlier delivery of it is still in its handler: that one commits nothing any more', async () => {
    await deliver('Placed', 'm1', inMode);
    const handlerRuns = Promise.withResolvers<void>();
    const handlerMayEnd = Promise.withResolvers<void>();
    whileLooking = () => {
      handlerRuns.resolve();
      return handlerMayEnd.promise;
    };
    // Optimistic: under a lease, nobody else could complete the saga meanwhile.
    const first = deliver('Looked', 'look');
    await handlerRuns.promise;
    await deliver('Closed', 'close');
    expect(await deliver('Looked', 'look', inMode)).toEqual([]);
    handlerMayEnd.resolve();
    expect(await first).toEqual([]);
    expect(await drain(queues, seen)).toEqual([]);
    expect(await storedKeys()).not.toContain('SAGA#Order#7');
  });

  it('stays discarded when it comes again and finds a saga by then', async () => {
    expect(await deliver('Looked', 'look', inMode)).toEqual([]);
    await deliver('Placed', 'm1', inMode);
    expect(await deliver('Looked', 'look', inMode)).toEqual([]);
    expect(await drain(queues, seen)).toEqual([]);
  });

  it('is known to deduplication as any other one, and leaves neither a saga nor a lease', async () => {
    expect(await deliver('Looked', 'look', inMode)).toEqual([]);
    expect(await storedKeys()).toEqual(['OUTBOX#orders#look']);
  });

  it('is returned when the hook that is told of it throws', async () => {
    const onSagaNotFound = () => {
      throw new Error('not now');
    };
    const recoverability = { immediateRetries: { maxRetries: 0 } };
    expect(await deliver('Looked', 'look', { ...inMode, onSagaNotFound, recoverability })).toHaveLength(1);
    expect(await storedKeys()).toEqual([]);
  });

  it('is acknowledged without a record when there is no outbox', async () => {
    expect(await deliver('Looked', 'look', { ...inMode, outbox: false })).toEqual([]);
    expect(await storedKeys()).toEqual([]);
  });
});

describe('I5: a message whose read does not show its saga yet', () => {
  /** A read beside the transaction that creates the saga may miss it. */
  const missSaga = (faults: ClientFaults) =>
    faults.plan('BatchGetItem', async (_input, proceed) => {
      const output = (await proceed()) as { Responses: Record<string, { SK: { S: string } }[]> };
      const found = output.Responses[table]?.filter(({ SK }) => SK.S !== 'SAGA') ?? [];
      return { ...output, Responses: { [table]: found } };
    });

  it('is not discarded: its commit is refused, and it finds the saga', async () => {
    await deliver('Placed', 'm1');
    const notFound: string[] = [];
    const onSagaNotFound = ({ id }: { id: string }) => void notFound.push(id);
    expect(await deliver('Looked', 'look', { onSagaNotFound }, missSaga)).toEqual([]);
    expect(await drain(queues, seen)).toHaveLength(1);
    // At least once, before the commit.
    expect(notFound).toEqual(['look']);
  });
});

describe('Cost: a discard', () => {
  it('takes the units of its record and of its check, each twice', async () => {
    const reports: { outcome: string; capacity: object }[] = [];
    await deliver('Looked', 'look', { onMessage: (report) => void reports.push(report) });
    expect(reports).toMatchObject([{ outcome: 'discarded', capacity: { readUnits: 2, writeUnits: 4 } }]);
  });
});

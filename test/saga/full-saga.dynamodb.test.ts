import { expect, it } from '@jest/globals';
import { createHandler, defineSaga } from 'sagabox';
import { z } from 'zod';
import { itemSize } from '../../lib/dynamodb/item-size.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { createTable, dynamoDBClient } from '../support/engines.ts';
import { record } from '../support/queue.ts';
import { allItems } from '../support/raw-items.ts';

/** A lease of the next message has the rest of the 400 KB. */
const largest = 399 * 1024;

const saga = defineSaga({
  name: 'Basket',
  messages: {
    Filled: z.object({ id: z.string(), bytes: z.number() }),
    Emptied: z.object({ id: z.string() }),
  },
  correlate: { Filled: (m) => m.id, Emptied: (m) => m.id },
  startedBy: ['Filled'],
  initialState: (): { filling: string } => ({ filling: '' }),
  handlers: {
    Filled({ body }, { saga }) {
      saga.state.filling = 'x'.repeat(body.bytes);
    },
    Emptied(_message, { saga }) {
      saga.state.filling = '';
    },
  },
});

it.each([
  ['is committed, and is locked for its next message', 0, 0],
  ['is refused with one byte more: its next message could not lock it', 1, 1],
] as const)('a saga of the largest size %s', async (_what, bytesMore, returned) => {
  const tableName = await createTable();
  const client = dynamoDBClient();
  const handler = createHandler(saga, {
    endpoint: 'baskets',
    throwOnFullBatchFailure: false,
    sagaTable: { tableName },
    outboxTable: { tableName },
    dynamoDBClient: client,
    logger: silentLogger,
    locking: { mode: 'pessimistic' },
    recoverability: { immediateRetries: { maxRetries: 0 } },
  });
  const returnedOf = async (each: ReturnType<typeof record>) =>
    (await handler({ Records: [each] })).batchItemFailures.length;
  const size = async () => {
    const [item] = (await allItems(client, tableName)).filter(({ state }) => state !== undefined);
    return itemSize(item as never);
  };
  expect(await returnedOf(record('Filled', { id: 'b', bytes: 0 }))).toBe(0);
  const bytes = largest - (await size()) + bytesMore;

  expect(await returnedOf(record('Filled', { id: 'b', bytes }))).toBe(returned);
  expect(await returnedOf(record('Emptied', { id: 'b' }))).toBe(0);
});

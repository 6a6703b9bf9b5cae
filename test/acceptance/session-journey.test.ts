import { randomUUID } from 'node:crypto';
import { type DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from '@jest/globals';
import middy, { type MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { defineSaga, idempotencyKeyHeader, type OutboxSessionContext, outboxSession } from 'sagabox';
import { z } from 'zod';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { dieAt, type Seam } from '../support/crash.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';
import { httpApiEvent } from '../support/http-events.ts';
import { drain, record } from '../support/queue.ts';
import { returnedIds } from '../support/returned-ids.ts';

const placed = httpApiEvent({ headers: { 'idempotency-key': '"order-42"' } });

const orderSaga = defineSaga({
  name: 'OrderSaga',
  messages: { OrderPlaced: z.object({ orderId: z.string(), attempt: z.string() }) },
  correlate: { OrderPlaced: (m) => m.orderId },
  startedBy: ['OrderPlaced'],
  initialState: () => ({ placedBy: [] as string[] }),
  handlers: {
    OrderPlaced({ body }, { saga }) {
      saga.state.placedBy.push(body.attempt);
    },
  },
});

/** An API function that places orders, a saga that they start, and a queue of mails, on the real engines. */
async function shop(exclusive: boolean) {
  const tableName = await createTable();
  const queues = { orders: await createQueue(), mail: await createQueue() };
  let attempts = 0;

  async function placeOrder(event: APIGatewayProxyEventV2, { send, transaction }: OutboxSessionContext) {
    attempts += 1;
    const { orderId } = JSON.parse(event.body ?? '{}');
    // Another one each time: whatever a second run leaves behind shows.
    const attempt = randomUUID();
    transaction.add({
      Put: {
        TableName: tableName,
        Item: { PK: { S: `ORDER#${orderId}` }, SK: { S: 'ORDER' }, attempt: { S: attempt } },
        ConditionExpression: 'attribute_not_exists(PK)',
      },
    });
    send('orders', 'OrderPlaced', { orderId, attempt });
    send('mail', 'Welcome', { attempt });
    return {
      statusCode: 201,
      headers: { location: `/orders/${orderId}` },
      cookies: [`a=${attempt}`],
      body: attempt,
    };
  }

  /** In a function of its own, which dies at the seam. @returns its response, as Lambda would write it */
  async function invoke(seam?: Seam): Promise<string> {
    const clients = { dynamoDBClient: dynamoDBClient(), sqsClient: sqsClient() };
    if (seam) dieAt(Object.values(clients), seam);
    const session = outboxSession({
      endpoint: 'api',
      outboxTable: { tableName },
      destinations: queues,
      idempotencyKey: idempotencyKeyHeader(),
      // Short, for those who come behind a dead one.
      ...(exclusive && { exclusive: { leaseDuration: { milliseconds: 300 } } }),
      logger: silentLogger,
      ...clients,
    });
    const handle = middy(placeOrder).use(session as MiddlewareObj);
    return JSON.stringify(await handle(placed as never, {} as never));
  }

  const items = async (sortKey: string) => await itemsOf(dynamoDBClient(), tableName, sortKey);

  /** Delivers all orders that arrived to the saga, copies too. */
  async function deliverOrders(): Promise<string[]> {
    const arrived = await drain(sqsClient(), queues.orders);
    const records = arrived.map(({ id, type, body }) => record(type, body, id));
    const options = { endpoint: 'orders', dynamoDBClient: dynamoDBClient(), sqsClient: sqsClient() };
    expect(await returnedIds(orderSaga, tableName, records, options)).toEqual([]);
    return arrived.map(({ id }) => id);
  }

  return {
    invoke,
    items,
    deliverOrders,
    mails: () => drain(sqsClient(), queues.mail),
    attempts: () => attempts,
  };
}

async function itemsOf(client: DynamoDBClient, TableName: string, sortKey: string) {
  const { Items = [] } = await client.send(new ScanCommand({ TableName, ConsistentRead: true }));
  return Items.filter((item) => item.SK?.S === sortKey);
}

const seams: [string, Seam | undefined][] = [
  ['nowhere', undefined],
  ['before the commit', { operation: 'TransactWriteItems', when: 'before', nth: 1 }],
  ['after the commit', { operation: 'TransactWriteItems', when: 'after', nth: 1 }],
  ['in the dispatch', { operation: 'SendMessageBatch', when: 'before', nth: 2 }],
  ['before the mark', { operation: 'BatchWriteItem', when: 'before', nth: 1 }],
  ['after the mark', { operation: 'BatchWriteItem', when: 'after', nth: 1 }],
];

describe.each([
  ['side by side', false],
  ['one at a time', true],
])('I1, I2, I3: an order that is placed over HTTP %s', (_mode, exclusive) => {
  it.each(seams)('twice at once, and once more after a death %s, is one order', async (_seam, dies) => {
    const { invoke, items, deliverOrders, mails, attempts } = await shop(exclusive);

    const [first, second] = await Promise.allSettled([invoke(dies), invoke()]);
    const third = await invoke(dies);
    const last = await invoke();

    const answers = [first, second].flatMap((each) => (each?.status === 'fulfilled' ? [each.value] : []));
    expect(answers.length).toBeGreaterThanOrEqual(1);
    expect(new Set([...answers, third, last]).size).toBe(1);
    expect(attempts()).toBeLessThanOrEqual(2);

    const { headers, body: attempt } = JSON.parse(last);
    expect(headers).toEqual({ location: '/orders/42' });
    expect((await items('ORDER')).map((item) => item.attempt?.S)).toEqual([attempt]);
    expect(new Set(await deliverOrders()).size).toBe(1);
    expect((await items('SAGA')).map((item) => item.state?.M?.placedBy?.L)).toEqual([[{ S: attempt }]]);
    const arrived = await mails();
    expect(new Set(arrived.map(({ id }) => id)).size).toBe(1);
    expect(arrived[0]?.body).toEqual({ attempt });
    expect((await items('RECORD')).filter((item) => item.dispatched?.BOOL !== true)).toEqual([]);
  });

  it.each(seams.slice(1))(
    'once, and twice more at once after a death %s, is one order',
    async (_seam, dies) => {
      const { invoke, items, deliverOrders, mails } = await shop(exclusive);

      const first = await invoke(dies).catch(() => undefined);
      // Whoever dies in the commit gives no answer; behind it, every one has its answer.
      expect(first === undefined).toBe(dies?.operation === 'TransactWriteItems');
      const answers = await Promise.all([invoke(), invoke()]);

      expect(new Set([...answers, ...(first === undefined ? [] : [first])]).size).toBe(1);
      const { body: attempt } = JSON.parse(answers[0]);
      expect((await items('ORDER')).map((item) => item.attempt?.S)).toEqual([attempt]);
      expect(new Set(await deliverOrders()).size).toBe(1);
      expect(await items('SAGA')).toHaveLength(1);
      expect(new Set((await mails()).map(({ id }) => id)).size).toBe(1);
      expect((await items('RECORD')).filter((item) => item.dispatched?.BOOL !== true)).toEqual([]);
    },
  );
});

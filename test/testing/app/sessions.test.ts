import { describe, expect, it } from '@jest/globals';
import {
  defineContract,
  defineHandlers,
  defineSaga,
  idempotencyKeyHeader,
  type OutboxSessionContext,
} from 'sagabox';
import { testApp } from 'sagabox/testing';
import { z } from 'zod';
import { refusalOf, sagaboxErrorOf } from '../../support/error-of.ts';
import { httpApiEvent } from '../../support/http-events.ts';

type HttpEvent = ReturnType<typeof httpApiEvent>;

const order = z.object({ orderId: z.string() });
const orderSaga = defineSaga({
  name: 'Orders',
  messages: { OrderPlaced: order, CardCharged: order },
  correlate: { OrderPlaced: ({ orderId }) => orderId, CardCharged: ({ orderId }) => orderId },
  startedBy: ['OrderPlaced'],
  initialState: () => ({ isPaid: false }),
  handlers: {
    OrderPlaced: ({ body }, { send }) => send('billing', 'ChargeCard', body),
    CardCharged(_message, { saga }) {
      saga.state.isPaid = true;
    },
  },
});
const billing = defineHandlers({
  messages: { ChargeCard: order },
  handlers: { ChargeCard: ({ body }, { reply }) => reply('CardCharged', body) },
});
const audit = defineHandlers({ messages: { OrderSeen: order }, handlers: { OrderSeen() {} } });

async function placeOrder(event: HttpEvent, { send, publish, transaction }: OutboxSessionContext) {
  const body = JSON.parse(event.body) as { orderId: string };
  transaction.add({
    Put: {
      TableName: 'requests',
      Item: { id: { S: body.orderId } },
      ConditionExpression: 'attribute_not_exists(id)',
    },
  });
  send('orders', 'OrderPlaced', body);
  publish('OrderSeen', body);
  return { statusCode: 202 };
}

const newApp = (options: { seed?: number } = {}) =>
  testApp(
    [
      { endpoint: 'api', session: placeOrder, idempotencyKey: idempotencyKeyHeader(), publishTo: 'seen' },
      { endpoint: 'orders', handles: orderSaga },
      { endpoint: 'billing', handles: billing },
      { endpoint: 'audit', handles: audit, subscribesTo: ['seen'] },
    ],
    { ...options, tables: { requests: { key: ['id'] } } },
  );
const request = (orderId: string, key = `key-${orderId}`) =>
  httpApiEvent({ headers: { 'idempotency-key': key }, body: JSON.stringify({ orderId }) });

describe('a session in an app', () => {
  it.each([[{}], [{ seed: 3 }]])('goes from an HTTP event to the saga, with %j', async (options) => {
    const app = newApp(options);
    const { response, outgoing, isCommitted } = await app.run('api', request('1'));
    expect([response.statusCode, isCommitted, outgoing.length]).toEqual([202, true, 2]);
    expect(app.state(orderSaga, '1')).toBeUndefined();
    const deliveries = await app.deliverAll();
    expect(deliveries.map(({ endpoint, outcome }) => `${endpoint} ${outcome}`).toSorted()).toEqual([
      'audit handled',
      'billing handled',
      'orders handled',
      'orders handled',
    ]);
    expect(app.state(orderSaga, '1')).toEqual({ isPaid: true });
    expect(app.items('requests')).toEqual([{ id: { S: '1' } }]);
    expect(app.endpoint('api')).toMatchObject({
      outgoing: [{ type: 'OrderPlaced' }, { type: 'OrderSeen' }],
      transactionItems: [{ Put: { TableName: 'requests' } }],
      errorQueue: [],
    });
  });

  it('answers a repeated request, and sends nothing again', async () => {
    const app = newApp();
    const [one, other] = await Promise.all([app.run('api', request('1')), app.run('api', request('1'))]);
    expect(one.response).toEqual(other.response);
    expect((await app.run('api', request('1'))).hasRun).toBe(false);
    await app.deliverAll();
    expect(await app.deliverAll()).toEqual([]);
    expect(app.items('requests')).toHaveLength(1);
  });

  it('throws what it throws, and commits nothing then', async () => {
    const app = newApp();
    await app.run('api', request('1'));
    const error = await sagaboxErrorOf(app.run('api', request('1', 'another')));
    expect(error.code).toBe('TransactionConditionFailed');
    expect(await app.deliverAll()).toHaveLength(4);
  });

  it('takes no messages, and replies to it fail as in production', async () => {
    const replying = defineHandlers({
      messages: { OrderPlaced: order },
      handlers: { OrderPlaced: ({ body }, { reply }) => reply('OrderSeen', body) },
    });
    const app = testApp(
      [
        { endpoint: 'api', session: placeOrder },
        { endpoint: 'orders', handles: replying },
      ],
      { tables: { requests: { key: ['id'] } } },
    );
    expect(refusalOf(() => app.send('api' as never, 'OrderPlaced' as never, {} as never)).code).toBe(
      'Configuration',
    );
    await app.run('api', httpApiEvent());
    expect((await sagaboxErrorOf(app.deliverAll())).message).toContain(
      "destination 'api': it is not configured",
    );
  });

  it('is refused with wrong options, and checks its contracts', async () => {
    const wrong = { endpoint: 'api', session: placeOrder, requireIdempotencyKey: true } as const;
    expect(refusalOf(() => testApp([wrong])).code).toBe('Configuration');
    expect(refusalOf(() => testApp([{ ...wrong, handels: 1 } as never])).code).toBe('Configuration');
    expect((await sagaboxErrorOf(newApp().run('orders' as never, {} as never))).code).toBe('Configuration');
    const contract = defineContract('orders', { OrderPlaced: order.extend({ customer: z.string() }) });
    const checked = testApp([
      { endpoint: 'api', session: placeOrder, sends: [contract] },
      { endpoint: 'orders', handles: orderSaga },
    ]);
    expect((await sagaboxErrorOf(checked.run('api', httpApiEvent()))).code).toBe('InvalidOutgoingMessage');
  });
});

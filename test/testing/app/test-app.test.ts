import { describe, expect, it } from '@jest/globals';
import { defineHandlers, recoverability } from 'sagabox';
import { testApp } from 'sagabox/testing';
import { z } from 'zod';
import { refusalOf, sagaboxErrorOf } from '../../support/error-of.ts';
import { billing, orderSaga, shipping, shopApp } from './shop.ts';

const orderId = '7';
const summary = (deliveries: readonly { endpoint: string; type: string; outcome: string }[]) =>
  deliveries.map(({ endpoint, type, outcome }) => `${endpoint} ${type} ${outcome}`);

describe('several endpoints in memory', () => {
  it('deliver each message, and what its handler sends, until all is quiet', async () => {
    const app = shopApp();
    app.send('orders', 'OrderPlaced', { orderId });
    expect(app.endpoint('orders').outgoing).toEqual([]);

    expect(summary(await app.deliverAll())).toEqual([
      'orders OrderPlaced handled',
      'billing ChargeCard handled',
      'orders CardCharged handled',
      'shipping OrderPaid handled',
      'orders OrderShipped handled',
    ]);
    expect(app.isCompleted(orderSaga, orderId)).toBe(true);
    expect(app.state(orderSaga, orderId)).toBeUndefined();
    expect(app.endpoint('orders').outgoing.map(({ type }) => type)).toEqual([
      'ChargeCard',
      'OrderPaid',
      'OrderArchived',
    ]);
    expect(app.endpoint('billing').transactionItems).toHaveLength(1);
    expect(app.sentTo('crm').map(({ type, body }) => ({ type, body }))).toEqual([
      { type: 'CardUsed', body: { orderId } },
    ]);
    expect(await app.deliverAll()).toEqual([]);
    // SQS takes back no message that it delays.
    expect(app.endpoint('orders').timeouts.map(({ type }) => type)).toEqual(['PaymentTimedOut']);
    expect(summary(await app.advance({ minutes: 10 }))).toEqual(['orders PaymentTimedOut discarded']);
    expect(app.endpoint('orders').timeouts).toEqual([]);
  });

  it('move time to the timeouts and delays on the way, however they are kept', async () => {
    const reminders = defineHandlers({
      messages: { Start: z.object({}), Soon: z.object({}), Late: z.object({}) },
      handlers: {
        Start(_message, { requestTimeout }) {
          requestTimeout('Soon', {}, { after: { minutes: 15 } });
          requestTimeout('Late', {}, { after: { days: 2 } });
        },
        Soon(_message, { send }) {
          send('reminders', 'Late', {}, { delay: { hours: 1 } });
        },
        Late() {},
      },
    });
    const app = testApp([{ endpoint: 'reminders', handles: reminders }]);
    app.send('reminders', 'Start', {}, { delay: { seconds: 5 } });
    expect(await app.deliverAll()).toEqual([]);
    await app.advance({ seconds: 5 });
    expect(app.endpoint('reminders').timeouts.map(({ type, dueAt }) => [type, dueAt.toISOString()])).toEqual([
      ['Soon', '2026-01-01T00:15:05.000Z'],
      ['Late', '2026-01-03T00:00:05.000Z'],
    ]);
    expect(summary(await app.advance({ minutes: 75, seconds: -1 }))).toEqual(['reminders Soon handled']);
    expect(summary(await app.advance({ seconds: 1 }))).toEqual(['reminders Late handled']);
    expect(summary(await app.advance({ days: 2 }))).toEqual(['reminders Late handled']);
    expect(app.now).toEqual(new Date('2026-01-03T01:15:05Z'));
  });

  it('retry what is made to fail, without firing what is due later', async () => {
    const app = shopApp();
    app.fail('billing', 'ChargeCard', { times: 4 });
    app.send('orders', 'OrderPlaced', { orderId });
    const deliveries = await app.deliverAll();
    const charges = deliveries.filter(({ type }) => type === 'ChargeCard');
    expect(charges.map(({ outcome, receiveCount }) => [outcome, receiveCount])).toEqual([
      ['returned', 1],
      ['returned', 2],
      ['returned', 3],
      ['returned', 4],
      ['handled', 5],
    ]);
    expect(app.isCompleted(orderSaga, orderId)).toBe(true);
    expect(deliveries.map(({ type }) => type)).not.toContain('PaymentTimedOut');
    expect(+app.now).toBeGreaterThan(+new Date('2026-01-01T00:00:00Z'));
  });

  it('send to the error queue what fails five times, and back from it', async () => {
    const app = shopApp();
    app.fail('billing', 'ChargeCard', { times: 5, error: new Error('The card service is down') });
    app.send('orders', 'OrderPlaced', { orderId });
    await app.deliverAll();
    expect(app.endpoint('billing').errorQueue).toMatchObject([
      {
        type: 'ChargeCard',
        failure: { endpoint: 'billing', code: 'Error', message: 'The card service is down', receiveCount: 5 },
      },
    ]);
    await app.advance({ minutes: 10 });
    expect(app.state(orderSaga, orderId)).toEqual({ seen: ['OrderPlaced', 'PaymentTimedOut'] });

    expect(app.redrive('billing', { type: 'Other' })).toBe(0);
    expect(app.redrive('billing')).toBe(1);
    await app.deliverAll();
    expect(app.endpoint('billing').errorQueue).toEqual([]);
    expect(app.isCompleted(orderSaga, orderId)).toBe(true);
  });

  it('take a message that is delivered again for a duplicate', async () => {
    const app = shopApp();
    app.send('orders', 'OrderPlaced', { orderId }, { id: 'placed' });
    await app.deliverAll();
    expect(app.redeliver('billing', { type: 'ChargeCard' })).toBe(1);
    expect(app.redeliver('orders', { id: 'placed' })).toBe(1);
    expect(summary(await app.deliverAll())).toEqual([
      'billing ChargeCard duplicate',
      'orders OrderPlaced duplicate',
    ]);
    expect(app.sentTo('crm')).toHaveLength(1);
    const error = refusalOf(() => app.redeliver('shipping', { type: 'OrderPlaced' }));
    expect(error.message).toContain("endpoint 'shipping' was delivered no message 'OrderPlaced'");
  });

  it('publish to those who subscribe, over a topic and over an event bus', async () => {
    const all = defineHandlers({
      messages: { OrderPaid: z.object({ orderId: z.string() }), OrderArchived: z.object({}) },
      handlers: { OrderPaid() {}, OrderArchived() {} },
    });
    const app = testApp(
      [
        { endpoint: 'orders', handles: orderSaga, publishTo: { OrderPaid: 'bus', '*': 'topic' } },
        { endpoint: 'billing', handles: billing },
        { endpoint: 'shipping', handles: shipping, subscribesTo: { bus: ['OrderPaid'] } },
        { endpoint: 'archive', handles: all, subscribesTo: ['bus', 'topic'] },
      ],
      { destinations: ['crm'], eventBuses: ['bus'] },
    );
    app.send('orders', 'OrderPlaced', { orderId });
    const deliveries = summary(await app.deliverAll());
    expect(deliveries.filter((line) => /^(shipping|archive)/.test(line))).toEqual([
      'shipping OrderPaid handled',
      'archive OrderPaid handled',
      'archive OrderArchived handled',
    ]);
    app.publish('bus', 'OrderPaid', { orderId: 'from outside' }, { id: 'outside' });
    app.publish('topic', 'OrderArchived', {});
    await app.deliverAll();
    expect(app.endpoint('shipping').outgoing.at(-1)?.body).toEqual({ orderId: 'from outside' });
    const error = refusalOf(() => app.publish('nowhere', 'OrderPaid', {}));
    expect(error.message).toContain('(known: bus, topic, events)');
  });

  it('keep the order of a FIFO group while one of it is retried', async () => {
    const seen: string[] = [];
    const ledger = defineHandlers({
      messages: { Post: z.object({ entry: z.string() }) },
      handlers: { Post: ({ body }) => void seen.push(body.entry) },
    });
    const app = testApp([{ endpoint: 'ledger', handles: ledger, fifo: true }]);
    app.fail('ledger', 'Post', { times: 1 });
    for (const [entry, messageGroupId] of [
      ['a1', 'a'],
      ['a2', 'a'],
      ['b1', 'b'],
    ] as const)
      app.send('ledger', 'Post', { entry }, { messageGroupId, id: entry });
    app.send('ledger', 'Post', { entry: 'a1' }, { messageGroupId: 'a', id: 'a1' });
    await app.deliverAll();
    expect(seen).toEqual(['b1', 'a1', 'a2']);
  });

  it('handle failures as the policy of an endpoint says', async () => {
    const app = testApp(
      [
        {
          endpoint: 'billing',
          handles: billing,
          recoverability: { policy: () => recoverability.ignore },
        },
      ],
      { destinations: ['crm'] },
    );
    app.fail('billing', 'ChargeCard');
    app.send('billing', 'ChargeCard', { orderId });
    expect(summary(await app.deliverAll())).toEqual(['billing ChargeCard ignored']);
  });
});

describe('what a test is told', () => {
  const broken = defineHandlers({
    messages: { Break: z.object({ to: z.string() }), Ping: z.object({}), Odd: z.object({ n: z.number() }) },
    handlers: {
      Break({ body }, { send }) {
        send(body.to, 'Ping', {});
        throw new Error(`It broke behind ${body.to}`);
      },
      Ping: (_message, { send }) => send('broken', 'Ping', {}),
      Odd() {},
    },
  });
  const endpoints = [{ endpoint: 'broken', handles: broken }] as const;

  it('names the message, and what its handler threw', async () => {
    const app = testApp(endpoints);
    app.send('broken', 'Break', { to: 'broken' }, { id: 'm1' });
    const error = await sagaboxErrorOf(app.deliverAll());
    expect(error.code).toBe('MessageFailed');
    expect(error.message).toMatch(
      /'m1' of type 'Break' is in the error queue of endpoint 'broken', at its delivery 5: It broke behind broken/,
    );
    expect(error.cause).toEqual(new Error('It broke behind broken'));
    expect(app.endpoint('broken').errorQueue).toHaveLength(1);
    expect(await app.deliverAll()).toEqual([]);
  });

  it('names the destinations that exist', async () => {
    const app = testApp(endpoints, { destinations: ['crm'] });
    app.send('broken', 'Break', { to: 'brokn' });
    const { message } = await sagaboxErrorOf(app.deliverAll());
    expect(message).toMatch(
      /destination 'brokn': it is not configured \(known: events, sender, crm, broken\)/,
    );
  });

  it('sends an invalid message to the error queue at once', async () => {
    const app = testApp(endpoints, { throwOnFailure: false });
    // @ts-expect-error: the schema wants a number
    app.send('broken', 'Odd', { n: 'one' });
    expect(summary(await app.deliverAll())).toEqual(['broken Odd errorQueue']);
    expect(app.endpoint('broken').errorQueue[0]?.failure.code).toBe('InvalidMessage');
  });

  it.each([undefined, 3])(
    'names the messages of an app that never gets quiet, with seed %s',
    async (seed) => {
      const app = testApp(endpoints, { maxDeliveries: 20, ...(seed !== undefined && { seed }) });
      app.send('broken', 'Ping', {});
      const error = await sagaboxErrorOf(app.deliverAll());
      expect(error.code).toBe('NeverQuiet');
      expect(error.message).toContain("'Ping' at 'broken' (20 times)");
    },
  );

  it.each([
    ['no endpoints', () => testApp([]), /its endpoints are/],
    ['two of one name', () => testApp([...endpoints, ...endpoints]), /two endpoints are named 'broken'/],
    ['an option that does not exist', () => testApp(endpoints, { sed: 1 } as never), /'?sed'?/],
    ['no definition', () => testApp([{ endpoint: 'a', handles: {} as never }]), /testApp: 'a'/],
    [
      'a subscription to a type that the endpoint does not handle',
      () => testApp(endpoints.map((each) => ({ ...each, subscribesTo: { events: ['Break', 'Pong'] } }))),
      /subscribes to Pong of 'events'.* Break, Ping/,
    ],
    [
      'a type that is not taken',
      () => testApp(endpoints).fail('broken', 'Pong' as never),
      /known: Break, Ping/,
    ],
    ['an endpoint that does not exist', () => testApp(endpoints).endpoint('b' as never), /no endpoint 'b'/],
    ['a saga of none', () => testApp(endpoints).state(orderSaga, '1'), /no endpoint of the app has the saga/],
  ])('refuses %s', (_of, act, message) => {
    const error = refusalOf(act);
    expect(error.code).toBe('Configuration');
    expect(error.message).toMatch(message);
  });

  it('refuses to move time backwards', async () => {
    expect((await sagaboxErrorOf(testApp(endpoints).advance({ hours: -1 }))).code).toBe('Configuration');
  });
});

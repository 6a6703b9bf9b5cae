import { describe, expect, it } from '@jest/globals';
import { defineSaga } from 'sagabox';
import { testSaga } from 'sagabox/testing';
import { z } from 'zod';
import { sagaboxErrorOf } from '../support/error-of.ts';

const order = z.object({ orderId: z.string() });
const byOrder = (body: { readonly orderId: string }) => body.orderId;

const orders = defineSaga({
  name: 'Orders',
  messages: { Placed: order, Paid: order, Cancelled: order, TimedOut: order, Large: order },
  correlate: { Placed: byOrder, Paid: byOrder, Cancelled: byOrder, TimedOut: byOrder, Large: byOrder },
  startedBy: ['Placed', 'Large'],
  initialState: () => ({ timedOut: 0 }),
  handlers: {
    async Placed({ body }, { publish, requestTimeout, sendImmediately }) {
      await sendImmediately('progress', 'Seen', body);
      publish('OrderPlaced', body);
      requestTimeout('TimedOut', body, { after: { hours: 2 } });
    },
    Paid: (_message, { cancelTimeout }) => cancelTimeout('TimedOut'),
    Cancelled: (_message, { saga }) => saga.complete(),
    TimedOut: (_message, { saga }) => {
      saga.state.timedOut += 1;
    },
    Large: (_message, { send }) => send('billing', 'Charge', { text: 'x'.repeat(2 * 1024 * 1024) }),
  },
});

const orderId = '7';

describe('a saga under test', () => {
  it.each([
    ['events', {}],
    ['shop', { publishTo: { OrderPlaced: 'shop' } }],
  ])('sends immediately, and publishes to %s with %j', async (publishesTo, options) => {
    const test = testSaga(orders, options);
    await test.deliver('Placed', { orderId });
    expect(test.outgoing.map(({ destination, type }) => [destination, type])).toEqual([
      ['progress', 'Seen'],
      [publishesTo, 'OrderPlaced'],
    ]);
  });

  it('gets its timeout after hours', async () => {
    const test = testSaga(orders);
    await test.deliver('Placed', { orderId });
    expect(await test.advance({ hours: 1, minutes: 59 })).toEqual([]);
    expect(await test.advance({ minutes: 1 })).toMatchObject([{ outcome: 'handled' }]);
    expect(test.state(orderId)).toEqual({ timedOut: 1 });
  });

  it('gets no timeout that it cancelled, or when it has ended', async () => {
    for (const last of ['Paid', 'Cancelled'] as const) {
      const test = testSaga(orders);
      await test.deliver('Placed', { orderId });
      await test.deliver(last, { orderId });
      expect(test.timeouts).toEqual([]);
    }
  });

  it('without a scheduler is refused a long delay', async () => {
    const test = testSaga(orders, { scheduler: false });
    const error = await sagaboxErrorOf(test.deliver('Placed', { orderId }));
    expect(error.code).toBe('InvalidOutgoingMessage');
    expect(error.message).toContain('no scheduler is configured');
  });

  it('sends large bodies with a claim check only', async () => {
    expect((await sagaboxErrorOf(testSaga(orders).deliver('Large', { orderId }))).message).toContain(
      'over the 1048576',
    );
    const test = testSaga(orders, { claimCheck: { bucketName: 'bodies' } });
    await test.deliver('Large', { orderId });
    expect(test.outgoing[0]?.headers['Sagabox.ClaimCheck']).toContain('claims/');
  });

  it('writes its messages in the format of the endpoint', async () => {
    const test = testSaga(orders, { messageFormat: 'cloudevents' });
    await test.deliver('Placed', { orderId });
    expect(test.outgoing.map(({ format }) => format)).toEqual(['cloudevents', 'cloudevents']);
  });
});

import type { AppEndpoint, AppSession, TestAppOptions } from './app-options.ts';
import type { TestApp } from './app-types.ts';
import { AppUnderTest } from './app-under-test.ts';

/**
 * Runs several endpoints, and functions with sessions, together as in production, but in memory: their queues, topics, event buses and
 * schedules, with a clock that stands still. No AWS, no network.
 *
 * @throws SagaboxError `Configuration` for endpoints or options that are wrong
 * @example
 * ```ts
 * import assert from 'node:assert';
 * import { defineHandlers, defineSaga } from 'sagabox';
 * import { testApp } from 'sagabox/testing';
 * import * as v from 'valibot';
 *
 * const order = v.object({ orderId: v.string() });
 * const orderSaga = defineSaga({
 *   name: 'OrderSaga',
 *   messages: { OrderPlaced: order, CardCharged: order },
 *   correlate: { OrderPlaced: (body) => body.orderId, CardCharged: (body) => body.orderId },
 *   startedBy: ['OrderPlaced'],
 *   initialState: () => ({ isPaid: false }),
 *   handlers: {
 *     OrderPlaced: ({ body }, { send }) => send('billing', 'ChargeCard', body),
 *     CardCharged: (_message, { saga }) => {
 *       saga.state.isPaid = true;
 *     },
 *   },
 * });
 * const billing = defineHandlers({
 *   messages: { ChargeCard: order },
 *   handlers: { ChargeCard: ({ body }, { reply }) => reply('CardCharged', body) },
 * });
 *
 * const app = testApp([
 *   { endpoint: 'orders', handles: orderSaga },
 *   { endpoint: 'billing', handles: billing },
 * ]);
 * app.send('orders', 'OrderPlaced', { orderId: '1' });
 * app.fail('billing', 'ChargeCard', { times: 2 });
 * await app.deliverAll();
 * assert.deepEqual(app.state(orderSaga, '1'), { isPaid: true });
 * ```
 */
export function testApp<const Endpoints extends readonly (AppEndpoint | AppSession)[]>(
  endpoints: Endpoints,
  options: TestAppOptions = {},
): TestApp<Endpoints> {
  return new AppUnderTest(endpoints, options) as unknown as TestApp<Endpoints>;
}

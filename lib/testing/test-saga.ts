import type { MessageSchemas } from '../core/handlers/schema.ts';
import type { IncomingMessage } from '../core/incoming/message.ts';
import type { SagaType } from '../core/saga/define-saga.ts';
import { TestEndpoint } from './test-endpoint.ts';
import type { HandlersTest } from './test-handlers.ts';
import type { TestOptions } from './test-options.ts';

/** A saga in memory, made by {@link testSaga}. */
export interface SagaTest<Schemas extends MessageSchemas, State> extends HandlersTest<Schemas> {
  /** The state as the next handler would get it; undefined if there is no such saga, or no longer. */
  state(sagaId: string | number): State | undefined;
  /** Whether a saga was there and has ended. */
  isCompleted(sagaId: string | number): boolean;
  /** The messages that found no saga and start none. */
  readonly discarded: readonly IncomingMessage[];
}

/**
 * Runs a saga as in production, but in memory: no AWS, no network, and a clock that stands still.
 *
 * @throws SagaboxError `Configuration` for options out of range
 * @example
 * ```ts
 * import { defineSaga } from 'sagabox';
 * import { testSaga } from 'sagabox/testing';
 * import * as v from 'valibot';
 *
 * const order = v.object({ orderId: v.string() });
 * const orderSaga = defineSaga({
 *   name: 'OrderSaga',
 *   messages: { OrderPlaced: order, CardCharged: order, PaymentTimedOut: order },
 *   correlate: {
 *     OrderPlaced: (body) => body.orderId,
 *     CardCharged: (body) => body.orderId,
 *     PaymentTimedOut: (body) => body.orderId,
 *   },
 *   startedBy: ['OrderPlaced'],
 *   initialState: () => ({ reminders: 0 }),
 *   handlers: {
 *     OrderPlaced: ({ body }, { send, requestTimeout }) => {
 *       send('billing', 'ChargeCard', body);
 *       requestTimeout('PaymentTimedOut', body, { after: { minutes: 10 } });
 *     },
 *     CardCharged: (_message, { saga }) => saga.complete(),
 *     PaymentTimedOut: (_message, { saga }) => {
 *       saga.state.reminders += 1;
 *     },
 *   },
 * });
 *
 * const saga = testSaga(orderSaga);
 * await saga.deliver('OrderPlaced', { orderId: '1' });
 * console.log(saga.outgoing[0]?.type); // 'ChargeCard'
 *
 * await saga.advance({ minutes: 10 });
 * console.log(saga.state('1')); // { reminders: 1 }
 *
 * await saga.deliver('CardCharged', { orderId: '1' });
 * console.log(saga.isCompleted('1')); // true
 * ```
 */
export function testSaga<Schemas extends MessageSchemas, State>(
  saga: SagaType<Schemas, State>,
  options: TestOptions = {},
): SagaTest<Schemas, State> {
  return new TestEndpoint(saga, options) as SagaTest<Schemas, State>;
}

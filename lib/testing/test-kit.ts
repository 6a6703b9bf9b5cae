import type { AttributeValue, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { SQSRecord } from 'aws-lambda';
import type { MessageHandlers } from '../handlers/define-handlers.ts';
import type { Duration } from '../kernel/duration.ts';
import type { IncomingMessage, OutgoingMessage } from '../messages/message.ts';
import type { MessageSchemas } from '../messages/schema.ts';
import type { SagaType } from '../saga/definition/define-saga.ts';
import type { DeliveryResult, RequestedTimeout } from './delivery-result.ts';
import type { UnevaluatedCondition } from './tables/test-tables.ts';
import { TestEndpoint } from './test-endpoint.ts';
import type { DeliveryOptions, SagaTestOptions, TestOptions } from './test-options.ts';

/** An endpoint in memory, made by {@link testHandlers}. */
export interface HandlersTest<Schemas extends MessageSchemas> {
  /**
   * Delivers a message as SQS would. Messages with one id are one message: the second is a duplicate.
   *
   * @throws what the handler throws, and each SagaboxError that fails a message in production; then nothing
   *   was committed
   */
  deliver<Type extends keyof Schemas & string>(
    type: Type,
    body: StandardSchemaV1.InferInput<Schemas[Type]>,
    options?: DeliveryOptions,
  ): Promise<DeliveryResult>;
  /** Delivers a record of {@link sqsRecord}, for what the types of `deliver` refuse. */
  deliverRecord(record: SQSRecord): Promise<DeliveryResult>;
  /** Everything sent so far, timeouts apart. */
  readonly outgoing: readonly OutgoingMessage[];
  /** Those that wait, the earliest first: messages that the endpoint sent to itself with a delay. */
  readonly timeouts: readonly RequestedTimeout[];
  /** The writes added with `transaction.add` that were committed so far. */
  readonly transactionItems: readonly TransactWriteItem[];
  /** What is in a table of the test's `tables`. @throws SagaboxError `Configuration` for another one */
  items(tableName: string): readonly Readonly<Record<string, AttributeValue>>[];
  /** Conditions of `transaction.add` that were taken to hold, because their table is not among the `tables`. */
  readonly unevaluatedConditions: readonly UnevaluatedCondition[];
  readonly now: Date;
  /** Moves time to each timeout that waits now, and delivers it. */
  fireTimeouts(): Promise<DeliveryResult[]>;
  /**
   * Moves time, and delivers the timeouts that come due on the way, those requested on the way too.
   *
   * @throws SagaboxError `Configuration` for a negative duration
   */
  advance(duration: Duration): Promise<DeliveryResult[]>;
}

/**
 * Runs handlers as in production, but in memory: no AWS, no network, and a clock that stands still.
 *
 * @throws SagaboxError `Configuration` for options out of range
 * @example
 * ```ts
 * import { defineHandlers } from 'sagabox';
 * import { testHandlers } from 'sagabox/testing';
 * import * as v from 'valibot';
 *
 * const billing = defineHandlers({
 *   messages: { ChargeCard: v.object({ orderId: v.string() }) },
 *   handlers: { ChargeCard: (message, { reply }) => reply('CardCharged', message.body) },
 * });
 *
 * const test = testHandlers(billing);
 * const { outcome, outgoing } = await test.deliver('ChargeCard', { orderId: '1' });
 * ```
 */
export function testHandlers<Schemas extends MessageSchemas>(
  handlers: MessageHandlers<Schemas>,
  options: TestOptions = {},
): HandlersTest<Schemas> {
  return new TestEndpoint(handlers, options);
}

/** A saga in memory, made by {@link testSaga}. */
export interface SagaTest<Schemas extends MessageSchemas, State> extends HandlersTest<Schemas> {
  /**
   * The state as it is stored, not yet migrated or validated for the next handler; undefined if there is no
   * such saga, or no longer.
   */
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
  options: SagaTestOptions = {},
): SagaTest<Schemas, State> {
  return new TestEndpoint(saga, options) as SagaTest<Schemas, State>;
}

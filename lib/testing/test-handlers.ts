import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { SQSRecord } from 'aws-lambda';
import type { Duration } from '../core/duration.ts';
import type { MessageHandlers } from '../core/handlers/define-handlers.ts';
import type { MessageSchemas } from '../core/handlers/schema.ts';
import type { OutgoingMessage } from '../core/incoming/message.ts';
import type { DeliveryResult, RequestedTimeout } from './delivery-result.ts';
import { TestEndpoint } from './test-endpoint.ts';
import type { DeliveryOptions, TestOptions } from './test-options.ts';

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
  /**
   * The writes added with `transaction.add` that were committed so far. Their conditions are not evaluated.
   */
  readonly transactionItems: readonly TransactWriteItem[];
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

import type { Context as LambdaContext, SQSBatchResponse, SQSRecord } from 'aws-lambda';
import { readEnvelope } from '../core/envelope.ts';
import { SagaboxError } from '../core/errors.ts';
import type { MessageLogger } from '../core/handler-context.ts';
import type { IncomingMessage } from '../core/message.ts';
import { processBatch } from '../flow/batch.ts';
import { Delivery } from '../flow/delivery.ts';
import { type ImmediateRetries, withImmediateRetries } from '../flow/retry.ts';
import { SagaTurns } from '../flow/saga-turns.ts';
import { defaults } from './defaults.ts';
import { deliveryOf } from './delivery-context.ts';
import type { SqsBatchOptions } from './options.ts';
import { positiveNumber, wholeNumber } from './settings.ts';
import { systemClock } from './system-clock.ts';

/** Handles one message; a middy handler is one. */
export type MessageHandler = (message: never, context: never) => unknown;

export type SqsBatchHandler = (event: unknown, context?: LambdaContext) => Promise<SQSBatchResponse>;

/**
 * Makes a Lambda handler for SQS batches out of a handler of one message. Each record succeeds or fails by itself;
 * those that failed are returned as `batchItemFailures`, for SQS to deliver again.
 *
 * Messages of one FIFO group, and of one saga, run one after another, in their order.
 *
 * @throws SagaboxError `Configuration` for settings out of range. The handler it returns throws `InvalidEvent` for an event
 *   that holds no SQS records; then nothing was run, and SQS delivers all again.
 * @example
 * ```ts
 * import middy from '@middy/core';
 * import { defineHandlers, sagaOutbox, sqsBatch } from 'sagabox';
 * import * as v from 'valibot';
 *
 * const shipping = defineHandlers({
 *   messages: { ShipOrder: v.object({ orderId: v.string() }) },
 *   handlers: {
 *     ShipOrder(message, { reply }) {
 *       reply('OrderShipped', { orderId: message.body.orderId });
 *     },
 *   },
 * });
 *
 * export const handler = sqsBatch(middy(shipping.handler).use(sagaOutbox()), { concurrency: 5 });
 * ```
 */
export function sqsBatch(handleMessage: MessageHandler, options: SqsBatchOptions = {}): SqsBatchHandler {
  const concurrency = wholeNumber('concurrency', options.concurrency ?? defaults.concurrency, 1);
  const retries = immediateRetries(options);
  const logger = options.logger ?? console;

  return async (event, context) => {
    const records = recordsOf(event);
    const turns = new SagaTurns();
    const remainingTimeMs = () => context?.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY;
    const environment = { sleep: systemClock.sleep, random: Math.random, remainingTimeMs };

    const runRecord = async (record: SQSRecord) => {
      const delivery = new Delivery(turns);
      try {
        const message = readEnvelope(record, options);
        await withImmediateRetries(
          async () => await deliver(handleMessage, message, context, delivery),
          retries,
          environment,
        );
      } catch (error) {
        logFailure(logger, record, error);
        throw error;
      } finally {
        delivery.end();
      }
    };

    const failed = await processBatch(records, concurrency, runRecord);
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
}

/** A context of its own for each attempt: the messages of a batch run side by side. */
async function deliver(
  handleMessage: MessageHandler,
  message: IncomingMessage,
  context: LambdaContext | undefined,
  delivery: Delivery,
): Promise<void> {
  delivery.startAttempt();
  const handle = handleMessage as (message: unknown, context: unknown) => unknown;
  await handle(message, { ...context, [deliveryOf]: delivery });
  await delivery.assertCommitted();
}

function immediateRetries({ recoverability }: SqsBatchOptions): ImmediateRetries {
  const retries = { ...defaults.immediateRetries, ...recoverability?.immediateRetries };
  wholeNumber('recoverability.immediateRetries.maximumRetries', retries.maximumRetries, 0);
  positiveNumber('recoverability.immediateRetries.baseDelayMs', retries.baseDelayMs);
  positiveNumber('recoverability.immediateRetries.maximumDelayMs', retries.maximumDelayMs);
  return retries;
}

/** A record that could not be told to SQS as failed would be lost, so such a batch is refused before any of it runs. */
function recordsOf(event: unknown): SQSRecord[] {
  const records = (event as { Records?: unknown } | null | undefined)?.Records;
  if (!Array.isArray(records) || records.length === 0) {
    throw new SagaboxError('InvalidEvent', { detail: 'The event holds no SQS records' });
  }
  if (records.some((record) => typeof record?.messageId !== 'string' || record.messageId === '')) {
    throw new SagaboxError('InvalidEvent', { detail: 'A record of the event has no message id' });
  }
  return records;
}

function logFailure(logger: MessageLogger, record: SQSRecord, error: unknown): void {
  const { code, facts } = error instanceof SagaboxError ? error : {};
  logger.error(`SQS message '${record.messageId}' failed and is returned to its queue`, {
    sqsMessageId: record.messageId,
    ...(code === undefined ? {} : { code, facts }),
    error,
  });
}

import { setTimeout as wait } from 'node:timers/promises';
import type { Context as LambdaContext, SQSRecord } from 'aws-lambda';
import type { WholeShape } from '../../capacity/shape-defaults.ts';
import { createHandler } from '../../compose/handler/create-handler.ts';
import { eventRecord } from '../../local/lambda/sqs-event.ts';
import type { LoggedError } from '../../observe/logs/logged-error.ts';
import type { Locking } from '../../saga/definition/locking.ts';
import { messageAttributes } from '../messages/send-message.ts';
import type { MeasureTarget } from './local-target.ts';
import { destinationsOf, type SyntheticMessage, syntheticDefinition } from './synthetic-endpoint.ts';

/** Longer than any message of a run takes. */
const INVOCATION_MS = 300_000;
const ROUND_SECONDS_MS = 100_000;
const MARGIN_MS = 1000;

/**
 * The handler that users deploy, called as Lambda calls it: with one message each time.
 *
 * @returns what delivers a message, and throws an Error with the handler's own log when it failed
 */
export function syntheticDelivery(
  shape: WholeShape,
  endpoint: string,
  { dynamoDBClient, sqsClient, sagaTableName, outboxTableName, queueUrls }: MeasureTarget,
): (message: SyntheticMessage) => Promise<void> {
  const log: string[] = [];
  const keep = (message: string, { error }: Record<string, unknown>) => {
    const { message: cause = '' } = (error ?? {}) as Partial<LoggedError>;
    log.push([message, cause].filter(Boolean).join(': '));
  };
  const handler = createHandler(syntheticDefinition(shape), {
    throwOnFullBatchFailure: false,
    endpoint,
    sagaTable: { tableName: sagaTableName },
    outboxTable: { tableName: outboxTableName },
    destinations: destinationsOf(queueUrls),
    outbox: shape.outbox,
    // A handler without a saga has nothing to lock.
    ...(shape.sagaBytes > 0 && { locking: lockingOf(shape) }),
    // A call that was made twice would be measured twice.
    recoverability: { immediateRetries: { maxRetries: 0 } },
    dynamoDBClient,
    sqsClient,
    logger: { info: () => {}, warn: keep, error: keep },
  });
  return async (message) => {
    const waitMs = untilPlannedSizes(Date.now());
    if (waitMs > 0) await wait(waitMs);
    const endsAt = Date.now() + INVOCATION_MS;
    const context = { getRemainingTimeInMillis: () => endsAt - Date.now() } as LambdaContext;
    const { batchItemFailures } = await handler({ Records: [recordOf(message, endpoint)] }, context);
    if (batchItemFailures.length === 0) return;
    throw new Error(`a message could not be handled: ${log.splice(0).join('; ')}`);
  };
}

/**
 * DynamoDB keeps no zeros at the end of a number, two of which are a byte: what is stored in such a second, and so
 * expires in one, is smaller than planned. With a margin for clocks and for the time that the message takes.
 *
 * @returns milliseconds
 */
export function untilPlannedSizes(nowMs: number): number {
  const sinceMargin = (nowMs + MARGIN_MS) % ROUND_SECONDS_MS;
  const stopsAfter = 2 * MARGIN_MS + 1000;
  return sinceMargin < stopsAfter ? stopsAfter - sinceMargin : 0;
}

function lockingOf({ locking }: WholeShape): Locking {
  if (locking === 'pessimistic') return { mode: 'pessimistic' };
  return { mode: 'optimistic', consistentRead: locking === 'optimistic' };
}

function recordOf({ id, type, body }: SyntheticMessage, queueName: string): SQSRecord {
  const message = {
    MessageId: id,
    ReceiptHandle: id,
    Body: JSON.stringify(body),
    Attributes: { ApproximateReceiveCount: '1', SentTimestamp: String(Date.now()) },
    MessageAttributes: messageAttributes({ id, type }),
  };
  return eventRecord(message, `arn:aws:sqs:us-east-1:000000000000:${queueName}`) as unknown as SQSRecord;
}

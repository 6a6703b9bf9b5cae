import type { Context as LambdaContext } from 'aws-lambda';
import { headerNames } from '../../core/incoming/headers.ts';
import { limits } from '../../core/limits.ts';
import { createHandler } from '../../middleware/create-handler.ts';
import { lockingOf, type MeasuredShape } from './measured-shape.ts';
import type { SyntheticMessage } from './stored-sizes.ts';
import { destinationName, syntheticDefinition } from './synthetic-endpoint.ts';
import type { MeasureTarget } from './target.ts';

/** Longer than any message of a run takes. */
const invocationMs = 300_000;

export type Deliver = (message: SyntheticMessage) => Promise<void>;

/**
 * The handler that users deploy, called as Lambda calls it: with one message each time.
 *
 * @returns what delivers a message, and throws an Error with the handler's own log when it failed
 */
export function syntheticDelivery(shape: MeasuredShape, endpoint: string, target: MeasureTarget): Deliver {
  const { dynamoDBClient, sqsClient, sagaTableName, outboxTableName, queueUrls } = target;
  const log: string[] = [];
  const keep = (message: string, { error }: Record<string, unknown>) =>
    void log.push([message, error instanceof Error ? error.message : ''].filter(Boolean).join(': '));
  // As those of the constructs; an account's own queue that takes less refuses by itself.
  const maxMessageSizeBytes = limits.messageBytes;
  const destinations = queueUrls.map((address, index) => {
    return [destinationName(index, queueUrls.length), { address, maxMessageSizeBytes }] as const;
  });
  const handler = createHandler(syntheticDefinition(shape), {
    throwOnFullBatchFailure: false,
    endpoint,
    sagaTable: { tableName: sagaTableName },
    outboxTable: { tableName: outboxTableName },
    destinations: Object.fromEntries(destinations),
    outbox: shape.outbox,
    relayIndex: shape.relayIndex,
    // A handler without a saga has nothing to lock.
    ...(shape.sagaBytes > 0 && { locking: lockingOf(shape) }),
    // A call that was made twice would be measured twice.
    recoverability: { immediateRetries: { maxRetries: 0 } },
    dynamoDBClient,
    sqsClient,
    logger: { info: () => {}, warn: keep, error: keep },
  });
  return async (message) => {
    const { batchItemFailures } = await handler({ Records: [recordOf(message, endpoint)] }, context());
    if (batchItemFailures.length === 0) return;
    throw new Error(`a message could not be handled: ${log.splice(0).join('; ')}`);
  };
}

function recordOf({ id, type, body }: SyntheticMessage, endpoint: string) {
  const attribute = (stringValue: string) => ({
    stringValue,
    dataType: 'String',
    stringListValues: [],
    binaryListValues: [],
  });
  return {
    messageId: id,
    receiptHandle: id,
    body: JSON.stringify(body),
    attributes: { ApproximateReceiveCount: '1', SentTimestamp: String(Date.now()) },
    messageAttributes: { [headerNames.messageId]: attribute(id), [headerNames.messageType]: attribute(type) },
    md5OfBody: '',
    eventSource: 'aws:sqs',
    eventSourceARN: `arn:aws:sqs:us-east-1:000000000000:${endpoint}`,
    awsRegion: 'us-east-1',
  };
}

function context(): LambdaContext {
  const endsAt = Date.now() + invocationMs;
  return { getRemainingTimeInMillis: () => endsAt - Date.now() } as LambdaContext;
}

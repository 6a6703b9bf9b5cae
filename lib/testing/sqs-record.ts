import { createHash, randomUUID } from 'node:crypto';
import type { SQSEvent, SQSMessageAttributes, SQSRecord, SQSRecordAttributes } from 'aws-lambda';
import {
  aNumber,
  anObject,
  anyValue,
  aString,
  assertOptionKinds,
  withMethods,
} from '../kernel/checks/checks.ts';
import { headerNames } from '../messages/headers.ts';
import { testDefaults } from './test-defaults.ts';

/** To be named without `@types/aws-lambda`, which a package manager may install for sagabox alone. */
export type { SQSEvent, SQSRecord };

/** The parts of an SQS record, each with a default. */
export interface SqsRecordOptions {
  /**
   * The message attribute `Sagabox.MessageType`.
   *
   * @default none, as from a foreign producer
   */
  type?: string;
  /**
   * Anything that JSON has.
   *
   * @default {}
   */
  body?: unknown;
  /**
   * The body as it is, JSON or not; wins over `body`.
   *
   * @default the JSON of `body`
   */
  rawBody?: string;
  /**
   * The message attribute `Sagabox.MessageId`.
   *
   * @default none: the id that SQS gives is the message's id
   */
  id?: string;
  /**
   * Message attributes of type String. Those of sagabox, such as `Sagabox.ReplyTo`, can be set too.
   *
   * @default none
   */
  headers?: Readonly<Record<string, string>>;
  /** @default 1 */
  receiveCount?: number;
  /** @default 2026-01-01T00:00:00Z */
  sentAt?: Date;
  /**
   * For FIFO queues, and for fair ones.
   *
   * @default none
   */
  messageGroupId?: string;
  /** @default 'queue', or 'queue.fifo' for a message with a group */
  queueName?: string;
  /**
   * The id that SQS gave, which `batchItemFailures` names.
   *
   * @default a new UUID
   */
  sqsMessageId?: string;
}

const recordChecks = {
  type: aString,
  body: anyValue,
  rawBody: aString,
  id: aString,
  headers: anObject,
  receiveCount: aNumber,
  sentAt: withMethods('getTime'),
  messageGroupId: aString,
  queueName: aString,
  sqsMessageId: aString,
} satisfies Record<keyof Required<SqsRecordOptions>, unknown>;

/**
 * An SQS record as Lambda hands it to a function.
 *
 * @example
 * ```ts
 * import { sqsRecord } from 'sagabox/testing';
 *
 * const record = sqsRecord({ type: 'OrderPlaced', body: { orderId: '1', total: 10 }, id: 'order-1' });
 * ```
 */
export function sqsRecord(options: SqsRecordOptions = {}): SQSRecord {
  assertOptionKinds('sqsRecord', options, recordChecks, { page: 'docs/guide/testing.md' });
  const { messageGroupId, rawBody, sqsMessageId = randomUUID() } = options;
  const body = rawBody ?? JSON.stringify(options.body === undefined ? {} : options.body);
  const queueName = options.queueName ?? (messageGroupId === undefined ? 'queue' : 'queue.fifo');
  const messageAttributes = stringAttributes(options);
  const { region, accountId } = testDefaults;
  return {
    messageId: sqsMessageId,
    receiptHandle: Buffer.from(`${sqsMessageId} ${queueName}`).toString('base64'),
    body,
    attributes: systemAttributes(options, queueName, body),
    messageAttributes,
    md5OfBody: createHash('md5').update(body).digest('hex'),
    ...(Object.keys(messageAttributes).length > 0 && {
      md5OfMessageAttributes: attributesMd5(messageAttributes),
    }),
    eventSource: 'aws:sqs',
    eventSourceARN: `arn:aws:sqs:${region}:${accountId}:${queueName}`,
    awsRegion: region,
  };
}

/**
 * The event that Lambda invokes a function with for a batch of SQS messages.
 *
 * @example
 * ```ts
 * import { createHandler, defineHandlers } from 'sagabox';
 * import { sqsEvent } from 'sagabox/testing';
 * import * as v from 'valibot';
 *
 * const mail = defineHandlers({
 *   messages: { WelcomeCustomer: v.object({ name: v.string() }) },
 *   handlers: { WelcomeCustomer() {} },
 * });
 *
 * const { batchItemFailures } = await createHandler(mail)(
 *   sqsEvent([{ type: 'WelcomeCustomer', body: { name: 'Ada' } }, { rawBody: 'not JSON' }]),
 * );
 * ```
 */
export function sqsEvent(records: readonly (SqsRecordOptions | SQSRecord)[]): SQSEvent {
  return { Records: records.map((record) => ('eventSource' in record ? record : sqsRecord(record))) };
}

function stringAttributes({ type, id, headers }: SqsRecordOptions): SQSMessageAttributes {
  const values = {
    ...headers,
    ...(id !== undefined && { [headerNames.messageId]: id }),
    ...(type !== undefined && { [headerNames.messageType]: type }),
  };
  const attributes = Object.entries(values).map(([name, stringValue]) => {
    const attribute = { stringValue, stringListValues: [], binaryListValues: [], dataType: 'String' };
    return [name, attribute] as const;
  });
  return Object.fromEntries(attributes);
}

function systemAttributes(options: SqsRecordOptions, queueName: string, body: string): SQSRecordAttributes {
  const { receiveCount = 1, sentAt = testDefaults.now, messageGroupId } = options;
  const timestamp = String(sentAt.getTime());
  return {
    ApproximateReceiveCount: String(receiveCount),
    SentTimestamp: timestamp,
    SenderId: 'AIDAIENQZJOLO23YVJ4VO',
    ApproximateFirstReceiveTimestamp: timestamp,
    ...(messageGroupId !== undefined && { MessageGroupId: messageGroupId }),
    ...(queueName.endsWith('.fifo') && {
      SequenceNumber: '18849496460467696128',
      MessageDeduplicationId: createHash('sha256').update(body).digest('hex'),
    }),
  };
}

const STRING_TRANSPORT_TYPE = 1;

/**
 * Of attributes of type String. Source: "Calculating the MD5 message digest for message attributes", Amazon
 * SQS Developer Guide.
 */
function attributesMd5(attributes: SQSMessageAttributes): string {
  const hash = createHash('md5');
  const addString = (value: string) => {
    const bytes = Buffer.from(value);
    const length = Buffer.alloc(4);
    length.writeUInt32BE(bytes.byteLength);
    hash.update(length).update(bytes);
  };
  for (const name of Object.keys(attributes).sort()) {
    addString(name);
    addString(attributes[name]?.dataType ?? '');
    hash.update(Buffer.of(STRING_TRANSPORT_TYPE));
    addString(attributes[name]?.stringValue ?? '');
  }
  return hash.digest('hex');
}

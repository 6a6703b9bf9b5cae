import type { SQSRecord } from 'aws-lambda';
import { SagaboxError } from './errors.ts';
import { headerNames } from './headers.ts';
import type { IncomingMessage } from './message.ts';

export interface EnvelopeOptions {
  /** The type of a message that carries none, for queues that plain producers feed with one kind of message. */
  defaultMessageType?: string;
}

/**
 * Reads one SQS record: id and type from sagabox's message attributes, else the id that SQS gave and the default type.
 *
 * @throws SagaboxError `InvalidMessage` when the body is not JSON, `InvalidEvent` when it is no SQS record.
 */
export function readEnvelope(record: unknown, options: EnvelopeOptions = {}): IncomingMessage {
  assertSqsRecord(record);
  const headers = stringAttributes(record);
  const id = headers[headerNames.messageId] || record.messageId;
  const type = headers[headerNames.messageType] ?? options.defaultMessageType ?? '';
  return {
    id,
    type,
    body: parseBody(record.body, id, type),
    headers,
    receiveCount: Number(record.attributes?.ApproximateReceiveCount ?? 1),
    sentAt: sentAt(headers, record),
    record,
  };
}

export function isSqsRecord(value: unknown): value is SQSRecord {
  if (typeof value !== 'object' || value === null) return false;
  const record = value as Partial<SQSRecord>;
  return (
    record.eventSource === 'aws:sqs' &&
    typeof record.messageId === 'string' &&
    typeof record.body === 'string'
  );
}

function assertSqsRecord(record: unknown): asserts record is SQSRecord {
  if (isSqsRecord(record)) return;
  const source = (record as { eventSource?: unknown } | undefined)?.eventSource;
  throw new SagaboxError('InvalidEvent', {
    detail: `A record of the event is not from SQS (eventSource: ${JSON.stringify(source) ?? 'none'})`,
  });
}

/** A null prototype: a header may have any name, '__proto__' too. */
function stringAttributes(record: SQSRecord): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  for (const [name, attribute] of Object.entries(record.messageAttributes ?? {})) {
    if (typeof attribute?.stringValue === 'string') headers[name] = attribute.stringValue;
  }
  return headers;
}

function parseBody(body: string, messageId: string, messageType: string): unknown {
  try {
    return JSON.parse(body);
  } catch (error) {
    const issues = [`its body is not JSON (${(error as SyntaxError).message})`];
    throw new SagaboxError('InvalidMessage', { messageId, messageType, issues }, { cause: error });
  }
}

function sentAt(headers: Readonly<Record<string, string>>, record: SQSRecord): Date {
  const stated = new Date(headers[headerNames.sentAt] ?? Number.NaN);
  return Number.isNaN(stated.getTime()) ? new Date(Number(record.attributes?.SentTimestamp ?? 0)) : stated;
}

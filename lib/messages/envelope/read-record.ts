import type { SQSRecord } from 'aws-lambda';
import { accountOf } from '../record-fields.ts';
import { attributeHeaders, unfoldHeaders } from './message-headers.ts';
import { labelled, readBody } from './read-body.ts';
import { mergeHeaders, noHeaders, type Reading, Unreadable } from './reading.ts';
import { type ParseMessage, parseByUser } from './user-parser.ts';

export interface UnreadRecord {
  readonly messageId: string;
  readonly body: string;
  readonly messageAttributes: Readonly<Record<string, { readonly stringValue?: string | undefined }>>;
  /** The ARN of the queue, without which no message is known to come from another account. */
  readonly eventSourceARN?: string | undefined;
}

/**
 * Reads what a record says of its message, except for the id and the time that SQS gave.
 *
 * @throws Unreadable, or a SagaboxError of the user's parser
 */
export function readRecord(record: SQSRecord, parse?: ParseMessage): Reading {
  const parsed = parse && parseByUser(record, parse);
  if (parsed === undefined) return readByFormat(record);
  const reading = readLabel(record);
  return {
    id: parsed.id ?? reading.id,
    type: parsed.type || reading.type,
    headers: mergeHeaders(reading.headers, parsed.headers ?? {}),
    sentAt: parsed.sentAt ?? reading.sentAt,
    replayName: parsed.id === undefined ? reading.replayName : undefined,
    body: () => parsed.body,
  };
}

function readByFormat(record: UnreadRecord, account?: string): Reading {
  const attributes = unfoldHeaders(attributeHeaders(record.messageAttributes));
  return readBody(record.body, { attributes, account: () => account ?? accountOf(record) });
}

/** Reads all but the body; of a record that cannot be read, only its attributes. */
export function readLabel(record: UnreadRecord, account?: string): Omit<Reading, 'body'> {
  try {
    return readByFormat(record, account);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    return labelled({ headers: noHeaders }, attributeHeaders(record.messageAttributes));
  }
}

import type { SQSRecord } from 'aws-lambda';
import { utf8Bytes } from '../dynamodb/item-size.ts';
import { SagaboxError } from '../kernel/errors/errors.ts';
import { noteNumber } from '../kernel/exact-json.ts';
import { compoundId } from './envelope/compound-id.ts';
import { readLabel, readRecord, type UnreadRecord } from './envelope/read-record.ts';
import { Unreadable } from './envelope/reading.ts';
import type { ParseMessage } from './envelope/user-parser.ts';
import type { IncomingMessage } from './message.ts';
import { accountOf, receiveCountOf, sentAtOf } from './record-fields.ts';

export type { ParsedMessage, ParseMessage } from './envelope/user-parser.ts';

export interface EnvelopeOptions {
  /** The type of a message that carries none, for queues whose producers send one kind of message. */
  defaultMessageType?: string;
  /**
   * Reads records in a format of your own, before any other format is looked for. An error makes the message
   * invalid (`InvalidMessage`), except for a SagaboxError, which is passed on.
   *
   * @default - the formats in docs/guide/messaging.md
   * @example
   * ```ts
   * import { createHandler, defineHandlers } from 'sagabox';
   * import * as v from 'valibot';
   *
   * const stock = defineHandlers({
   *   messages: { StockCounted: v.object({ article: v.string(), count: v.number() }) },
   *   handlers: { StockCounted() {} },
   * });
   *
   * export const handler = createHandler(stock, {
   *   parse(record) {
   *     if (!record.body.startsWith('STOCK;')) return undefined;
   *     const [, number, article, count] = record.body.split(';');
   *     return { id: `stock-${number}`, type: 'StockCounted', body: { article, count: Number(count) } };
   *   },
   * });
   * ```
   */
  parse?: ParseMessage;
  /**
   * Whether the events of a replay of an EventBridge archive are messages of their own, once for each name
   * of a replay; see docs/guide/messaging.md#replays-of-an-archive. Otherwise they have the ids of the
   * archived events, and are duplicates of what was handled within the deduplication period, with a
   * warning. An id that your parser gives stays as it is.
   *
   * @default false
   */
  handleReplays?: boolean;
}

/**
 * Reads one SQS record by the format that it is in.
 *
 * @throws SagaboxError `InvalidMessage` when the record cannot be read, `InvalidEvent` when SQS did not send
 *   it
 */
export function readEnvelope(record: unknown, options: EnvelopeOptions = {}): IncomingMessage {
  assertSqsRecord(record);
  const defaultType = options.defaultMessageType ?? '';
  let known: Pick<IncomingMessage, 'id' | 'type'> | undefined;
  try {
    const reading = readRecord(record, options.parse);
    const { headers, replayName, id: given = record.messageId } = reading;
    const id = options.handleReplays && replayName !== undefined ? idInReplay(replayName, given) : given;
    // A wrong id is not replaced by the id that SQS gave: with that, a copy would be taken for another
    // message.
    if (!isDeduplicationId(id)) {
      throw new Unreadable(`its id is empty, over ${MAX_ID_BYTES} bytes, or not well-formed Unicode`);
    }
    known = { id, type: reading.type ?? defaultType };
    const message = {
      ...known,
      body: reading.body(),
      headers,
      receiveCount: receiveCountOf(record),
      sentAt: reading.sentAt ?? sentAtOf(record),
      record,
    };
    // A body that is nothing but a number is in no object that was read.
    noteNumber(message, 'body', message.body, record.body.trim());
    return message;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const { id, type } = known ?? {
      id: deduplicationIdOf(record),
      type: readLabel(record).type ?? defaultType,
    };
    const facts = { messageId: id, messageType: type, issues: [error.message], remedy: error.remedy };
    throw new SagaboxError('InvalidMessage', facts, { cause: error.cause });
  }
}

/**
 * Returns the id of a message that was not read, unless a parser gives another. A message that is moved gets
 * a new id from SQS: with this one in its attributes it stays the same message.
 *
 * @param account the account of the queue
 */
export function deduplicationIdOf(record: UnreadRecord, account = accountOf(record)): string {
  const { id = '' } = readLabel(record, account);
  return isDeduplicationId(id) ? id : record.messageId;
}

/** Returns the id of a message in a replay. A message that was forwarded to an error queue has it already. */
function idInReplay(replayName: string, id: string): string {
  return id.startsWith(compoundId(replayName, '')) ? id : compoundId(replayName, id);
}

/**
 * The replay of an EventBridge archive that a message comes from, if it has the id of the archived event;
 * undefined for all others.
 */
export function replayOf({ id, record }: IncomingMessage): string | undefined {
  const label = readLabel(record);
  return id === label.id ? label.replayName : undefined;
}

const MAX_ID_BYTES = 2048;

/** Whether an id is usable. An ill-formed one would share the key of another: DynamoDB keeps UTF-8. */
function isDeduplicationId(id: string): boolean {
  return id !== '' && utf8Bytes(id) <= MAX_ID_BYTES && id.isWellFormed();
}

function assertSqsRecord(record: unknown): asserts record is SQSRecord {
  const { eventSource, messageId, body } = Object(record) as Partial<Record<keyof SQSRecord, unknown>>;
  if (eventSource !== 'aws:sqs') {
    const source = JSON.stringify(eventSource) ?? 'none';
    throw new SagaboxError('InvalidEvent', {
      detail: `A record of the event is not from SQS (eventSource: ${source})`,
    });
  }
  if (typeof messageId !== 'string') {
    throw new SagaboxError('InvalidEvent', {
      detail: `A record of the event has a message id of type ${typeof messageId}, and no string`,
      remedy: 'Hand on each record of SQS as it is',
    });
  }
  if (typeof body === 'string') return;
  throw new SagaboxError('InvalidEvent', {
    detail: `The body of the record '${messageId}' is a value of type ${typeof body}, and no string`,
    remedy:
      'SQS delivers bodies as text: hand on the record as it is, or make the text of the body, such as its JSON',
  });
}

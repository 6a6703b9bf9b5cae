import { expect } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { SagaboxError } from 'sagabox';
import { errorMessages } from '../../lib/kernel/errors/errors.ts';
import { deduplicationIdOf, readEnvelope } from '../../lib/messages/envelope.ts';
import { decodeFailure } from '../../lib/messages/failures/failure-facts.ts';
import type { OutgoingMessage } from '../../lib/messages/message.ts';
import type { CapturedEntry } from './captured-sqs.ts';
import type { AnyRecord } from './hostile-records.ts';
import { type BatchOutcome, ERROR_QUEUE, type MemoryEndpoint } from './memory-endpoint.ts';

/** An error that a program can tell from others, or the fields of one in the log. */
function isCoded(error: unknown): error is Pick<SagaboxError, 'code' | 'facts'> {
  if (error instanceof Error && !(error instanceof SagaboxError)) return false;
  return Object.hasOwn(errorMessages, (error as { code?: string }).code ?? '');
}

/** Of what a schema finds in a message, so many are told, and how many more there are. */
const MAX_ISSUES = 101;

export function expectAllCoded(errors: readonly unknown[]): void {
  expect(errors.filter((error) => !isCoded(error))).toEqual([]);
  for (const error of errors.filter(isCoded)) {
    const { issues = [] } = (error.facts ?? {}) as { issues?: readonly string[] };
    expect(issues.length).toBeLessThanOrEqual(MAX_ISSUES);
  }
}

/** Each record was returned, is in the error queue, or is done; what is returned can be told by SQS. */
export function expectNothingLost(
  records: readonly AnyRecord[],
  { returned, reports }: BatchOutcome,
  { sqs }: MemoryEndpoint,
): void {
  const ids = records.map(({ messageId }) => messageId);
  for (const id of returned) expect(ids).toContain(id);
  const forwarded = sqs.sends.filter(({ QueueUrl }) => QueueUrl === ERROR_QUEUE);
  const done = reports.filter(({ outcome }) => outcome !== 'failed');
  expect(records.length).toBe(returned.length + forwarded.length + done.length);
  const effects = [
    ...returned.map((id): Effect => ['messageId', id]),
    ...forwarded.map((sent): Effect => ['body', sent.MessageBody]),
    ...done.map((report): Effect => ['id', report.messageId]),
  ];
  const traits = records.map((record) => ({ ...record, id: idOf(record) }));
  expect(isOneEach(effects, traits)).toBe(true);
  const bodies = records.map(({ body }) => body);
  for (const { MessageBody, MessageAttributes } of forwarded) {
    expect(bodies).toContain(MessageBody);
    const failure = decodeFailure(MessageAttributes?.['Sagabox.Failure']?.StringValue);
    expect(Object.keys(errorMessages)).toContain(failure?.code);
  }
}

/** What the copies of the record's message are known by. */
function idOf(record: AnyRecord): string {
  const sqsRecord = record as unknown as SQSRecord;
  try {
    return readEnvelope(sqsRecord).id;
  } catch {
    return deduplicationIdOf(sqsRecord);
  }
}

/** What became of a record, by which the record can be told. */
type Effect = readonly [trait: 'messageId' | 'body' | 'id', value: unknown];

/**
 * Whether each effect can be that of a record of its own: one that is lost is not made up for by one that is
 * counted twice.
 */
function isOneEach([effect, ...others]: readonly Effect[], records: readonly AnyRecord[]): boolean {
  if (effect === undefined) return records.length === 0;
  const [trait, value] = effect;
  return records.some(
    (record, index) => record[trait] === value && isOneEach(others, records.toSpliced(index, 1)),
  );
}

/** Whatever a message left in one place, it left in all of them, once. */
export function expectAllOrNothing({ storage, dispatcher, ...endpoint }: MemoryEndpoint): void {
  const written = storage.transactionItems.map(({ Put }) => String(Put?.Item?.PK?.S)).toSorted();
  // A discard leaves a record, and nothing else.
  const discarded = new Set(
    endpoint.reports.filter(({ outcome }) => outcome === 'discarded').map(({ messageId }) => messageId),
  );
  const recorded = [...storage.records.values()].filter(({ messageId }) => !discarded.has(messageId));
  const traces = recorded.map(({ messageId }) => encodeURIComponent(messageId)).toSorted();
  expect(written).toEqual(traces);
  expect(new Set(traces).size).toBe(traces.length);

  const sent = dispatcher.sent.flatMap((message) => traceOf(message) ?? []);
  expect(new Set(sent)).toEqual(new Set(traces));
  expect(recorded.every(({ dispatched }) => dispatched)).toBe(true);

  const handled = endpoint.states().flatMap((state) => (state as { handled?: string[] }).handled ?? []);
  const charged = dispatcher.sent.filter(({ type }) => type === 'Charge');
  expect(handled.toSorted()).toEqual(charged.flatMap((message) => traceOf(message) ?? []).toSorted());
}

/** Nothing for what was sent besides the trace. */
function traceOf({ body }: OutgoingMessage): string | undefined {
  const { trace } = (body ?? {}) as { trace?: unknown };
  return typeof trace === 'string' ? trace : undefined;
}

/** Seconds that a message is to wait are whole numbers that SQS takes. */
export function expectVisibilities({ sqs }: MemoryEndpoint): void {
  for (const { Entries } of sqs.visibilities) {
    for (const { VisibilityTimeout } of Entries) {
      expect(Number.isSafeInteger(VisibilityTimeout)).toBe(true);
      expect(VisibilityTimeout).toBeGreaterThanOrEqual(0);
    }
  }
}

/**
 * Each has the form of an entry of SendMessageBatch: SQS would refuse another one, after others were sent.
 */
export function expectSendable(entries: readonly CapturedEntry[]): void {
  for (const { MessageBody, MessageAttributes = {}, ...entry } of entries) {
    expect(typeof MessageBody).toBe('string');
    for (const attribute of Object.values(MessageAttributes)) {
      expect([typeof attribute.StringValue, attribute.DataType]).toEqual(['string', 'String']);
    }
    expect(MessageAttributes['Sagabox.MessageId']?.StringValue).not.toBe('');
    const { DelaySeconds = 0, MessageGroupId = 'group' } = entry;
    expect(Number.isInteger(DelaySeconds) && DelaySeconds >= 0 && DelaySeconds <= 900).toBe(true);
    expect(MessageGroupId).toMatch(/^[!-~]{1,128}$/);
  }
}

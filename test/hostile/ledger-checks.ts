import { expect } from '@jest/globals';
import { SagaboxError } from 'sagabox';
import { errorRules } from '../../lib/core/errors.ts';
import { decodeFailure } from '../../lib/core/failure-facts.ts';
import type { OutgoingMessage } from '../../lib/core/message.ts';
import type { AnyRecord } from './hostile-records.ts';
import { type BatchOutcome, ERROR_QUEUE, type MemoryEndpoint } from './memory-endpoint.ts';

/** An error that a program can tell from others. */
export function isCoded(error: unknown): error is SagaboxError {
  return error instanceof SagaboxError && Object.hasOwn(errorRules, error.code);
}

export function expectAllCoded(errors: readonly unknown[]): void {
  expect(errors.filter((error) => !isCoded(error))).toEqual([]);
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
  const bodies = records.map(({ body }) => body);
  for (const { MessageBody, MessageAttributes } of forwarded) {
    expect(bodies).toContain(MessageBody);
    const failure = decodeFailure(MessageAttributes?.['Sagabox.Failure']?.StringValue);
    expect(Object.keys(errorRules)).toContain(failure?.code);
  }
}

/** Whatever a message left in one place, it left in all of them, once. */
export function expectAllOrNothing({ storage, dispatcher, ...endpoint }: MemoryEndpoint): void {
  const written = storage.transactionItems.map(({ Put }) => String(Put?.Item?.PK?.S)).toSorted();
  const recorded = [...storage.records.values()];
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

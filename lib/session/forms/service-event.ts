import { isJsonObject } from '../../kernel/values/value-kind.ts';
import type { EventId, ServiceForm } from './event-form.ts';
import { type Fields, nonEmpty } from './fields.ts';

interface ServiceFacts {
  readonly type: string;
  readonly id: EventId | undefined;
}

/**
 * An event of EventBridge, an occurrence of a schedule, a record of a stream or a message of SQS, or several records
 * as an event source mapping or a pipe hands them on; undefined for any other event.
 */
export function serviceForm(event: unknown): ServiceForm | undefined {
  const records = recordsOf(event);
  const facts = records === undefined ? factsOf(event) : batchFacts(records);
  return facts && { kind: 'service', place: ['service', facts.type], ...facts };
}

function recordsOf(event: unknown): readonly unknown[] | undefined {
  const records = isJsonObject(event) ? event.Records : event;
  // A hole is no record: every() would pass over it.
  return Array.isArray(records) ? Array.from<unknown>(records) : undefined;
}

function batchFacts(records: readonly unknown[]): ServiceFacts | undefined {
  if (records.length === 0 || !records.every((record) => isJsonObject(record) && recordFacts(record)))
    return undefined;
  return { type: String((records[0] as Fields).eventSource), id: undefined };
}

function factsOf(event: unknown): ServiceFacts | undefined {
  if (!isJsonObject(event)) return undefined;
  return eventBridgeFacts(event) ?? scheduleFacts(event) ?? recordFacts(event);
}

function eventBridgeFacts({ id, source, 'detail-type': type, detail }: Fields): ServiceFacts | undefined {
  const [eventId, from] = [nonEmpty(id), nonEmpty(source)];
  const isEvent = eventId !== undefined && from !== undefined && typeof type === 'string';
  return isEvent && detail !== undefined ? { type, id: ['event', eventId] } : undefined;
}

/**
 * Of the input of an EventBridge Scheduler schedule that carries its context attributes. Its execution id is
 * that of one attempt, and the time is the same for all of them; so the time goes first. Source: "Adding
 * context attributes" in the EventBridge Scheduler User Guide.
 */
function scheduleFacts({ scheduleArn, scheduledTime, executionId }: Fields): ServiceFacts | undefined {
  const arn = nonEmpty(scheduleArn);
  if (arn === undefined || !/^arn:[^:]+:scheduler:/.test(arn)) return undefined;
  const occurrence = nonEmpty(scheduledTime) ?? nonEmpty(executionId);
  return { type: 'Scheduled', id: occurrence === undefined ? undefined : ['schedule', arn, occurrence] };
}

/** Of one record of a stream, whose id is unique within the stream, or of one message of a queue. */
function recordFacts(record: Fields): ServiceFacts | undefined {
  const { eventSource, eventName } = record;
  const source = nonEmpty(record.eventSourceARN) ?? null;
  if (eventSource === 'aws:sqs') {
    const messageId = nonEmpty(record.messageId);
    return messageId === undefined ? undefined : { type: eventSource, id: ['message', source, messageId] };
  }
  const isOfStream = eventSource === 'aws:kinesis' || eventSource === 'aws:dynamodb';
  const eventId = nonEmpty(record.eventID);
  if (!isOfStream || eventId === undefined) return undefined;
  return { type: nonEmpty(eventName) ?? eventSource, id: ['stream', source, eventId] };
}

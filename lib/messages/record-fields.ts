import { isJsonObject } from '../kernel/values/value-kind.ts';

/**
 * SQS fills the fields of a record; an event from elsewhere may have anything in their place, and must not
 * cost the other records of its batch their answer.
 */
interface RecordFields {
  readonly attributes?: unknown;
  readonly eventSourceARN?: unknown;
}

/** Returns the receive count; 1 when the record does not tell. */
export function receiveCountOf(record: RecordFields): number {
  const count = Number(systemAttribute(record, 'ApproximateReceiveCount') ?? 1);
  return Number.isSafeInteger(count) && count >= 1 ? count : 1;
}

/** Returns the time of sending; the beginning of 1970 when the record does not tell. */
export function sentAtOf(record: RecordFields): Date {
  const sentAt = new Date(Number(systemAttribute(record, 'SentTimestamp') ?? 0));
  return Number.isNaN(sentAt.getTime()) ? new Date(0) : sentAt;
}

/** Returns the time of the first delivery from this queue; `undefined` when the record does not tell. */
export function firstReceivedAtOf(record: RecordFields): Date | undefined {
  const receivedAt = new Date(
    Number(systemAttribute(record, 'ApproximateFirstReceiveTimestamp') ?? Number.NaN),
  );
  return Number.isNaN(receivedAt.getTime()) ? undefined : receivedAt;
}

/** Returns the message group, which standard queues carry too, when a producer sets one for fair queues. */
export function messageGroupIdOf(record: RecordFields): string | undefined {
  return systemAttribute(record, 'MessageGroupId');
}

/** Returns X-Ray's trace header. */
export function traceHeaderOf(record: RecordFields): string | undefined {
  return systemAttribute(record, 'AWSTraceHeader');
}

/** Returns the ARN of the queue; `undefined` when the record does not tell. */
export function queueArnOf({ eventSourceARN }: RecordFields): string | undefined {
  return typeof eventSourceARN === 'string' ? eventSourceARN : undefined;
}

/** Returns the account of the queue; `undefined` when the record does not tell. */
export function accountOf(record: RecordFields): string | undefined {
  return queueArnOf(record)?.split(':')[4] || undefined;
}

function systemAttribute({ attributes }: RecordFields, name: string): string | undefined {
  const value: unknown = (attributes as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === 'string' ? value : undefined;
}

/** Returns a copy of an SQS record for users' code: a change to it reaches no other code. */
export function usersRecord<R extends object>(record: R): R {
  const copy = { ...record } as { attributes?: unknown; messageAttributes?: unknown };
  if (isJsonObject(copy.attributes)) copy.attributes = { ...copy.attributes };
  if (isJsonObject(copy.messageAttributes)) {
    const parts: Record<string, unknown> = { ...copy.messageAttributes };
    for (const name of Object.keys(parts)) {
      const part = parts[name];
      if (isJsonObject(part)) parts[name] = { ...part };
    }
    copy.messageAttributes = parts;
  }
  return copy as R;
}

/**
 * SQS fills the fields of a record; an event from elsewhere may have anything in their place, and must not
 * cost the other records of its batch their answer.
 */
interface RecordFields {
  readonly attributes?: unknown;
  readonly eventSourceARN?: unknown;
}

/** 1 when it does not tell. */
export function receiveCountOf(record: RecordFields): number {
  const count = Number(systemAttribute(record, 'ApproximateReceiveCount') ?? 1);
  return Number.isSafeInteger(count) && count >= 1 ? count : 1;
}

/** The beginning of 1970 when it does not tell. */
export function sentAtOf(record: RecordFields): Date {
  const sentAt = new Date(Number(systemAttribute(record, 'SentTimestamp') ?? 0));
  return Number.isNaN(sentAt.getTime()) ? new Date(0) : sentAt;
}

/** Standard queues carry a group too, when a producer sets one for fair queues. */
export function messageGroupIdOf(record: RecordFields): string | undefined {
  return systemAttribute(record, 'MessageGroupId');
}

/** The ARN of the queue; undefined when it does not tell. */
export function queueArnOf({ eventSourceARN }: RecordFields): string | undefined {
  return typeof eventSourceARN === 'string' ? eventSourceARN : undefined;
}

function systemAttribute({ attributes }: RecordFields, name: string): string | undefined {
  const value: unknown = (attributes as Record<string, unknown> | null | undefined)?.[name];
  return typeof value === 'string' ? value : undefined;
}

/** A copy of an SQS record for users' code: what that does to it reaches nobody else. */
export function usersRecord<R extends object>(record: R): R {
  const copy = { ...record } as { attributes?: unknown; messageAttributes?: unknown };
  const { attributes, messageAttributes } = copy;
  if (isObject(attributes)) copy.attributes = { ...attributes };
  if (isObject(messageAttributes)) copy.messageAttributes = copyOfParts(messageAttributes);
  return copy as R;
}

function copyOfParts(values: Record<string, unknown>): object {
  const copies = { ...values };
  for (const name of Object.keys(copies)) {
    const value = copies[name];
    if (isObject(value)) copies[name] = { ...value };
  }
  return copies;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

/** What the handlers of the simulated endpoints do with a message. */
export interface MessageScript {
  readonly saga: string;
  readonly sends: readonly SendScript[];
  readonly timeout: 'none' | 'inQueue' | 'inSchedule' | 'several' | 'cancel';
  /** Yields of the handler itself, in which it can be cut off. */
  readonly pauses: number;
  /** How many attempts throw; the others fail for good: to the error queue, or ignored by the policy. */
  readonly failures: number | 'unrecoverable' | 'ignored';
  /** Whether the saga ends with it, even one that it starts. */
  readonly completes: boolean;
  /** Whether the schema refuses it, once that has become stricter. */
  readonly isOutdated: boolean;
}

export type SagaMessageType = 'Start' | 'Change' | 'Finish' | 'Look' | 'Elapsed';

/** A message to the saga's endpoint, or a note to the other one, which answers it or does not. */
export interface SendScript {
  readonly type: Exclude<SagaMessageType, 'Elapsed'> | 'Note';
  readonly saga: string;
  readonly answered: boolean;
}

export interface FirstMessage extends MessageScript {
  readonly type: Exclude<SagaMessageType, 'Elapsed'>;
  /** Whether the other endpoint gets a message with the same id, as of an event that is published to both. */
  readonly isPublished: boolean;
}

export const endpointNames = { orders: 'orders', audit: 'audit' } as const;
export const sagaName = 'OrderSaga';

/** That of notes keeps their order within a group, and the other one where the scenario says so. */
export function queueName(endpoint: string, isOrdered = false): string {
  return isOrdered || endpoint === endpointNames.audit ? `${endpoint}.fifo` : endpoint;
}

export function queueUrl(name: string): string {
  return `https://sqs.us-east-1.amazonaws.com/123456789012/${name}`;
}

export const destinations = {
  orders: queueUrl(queueName(endpointNames.orders)),
  audit: queueUrl(queueName(endpointNames.audit)),
} as const;

/** In the queue itself, and in a schedule: it takes no more than 15 minutes. */
export const timeouts = { inQueue: { seconds: 30 }, inSchedule: { minutes: 30 } } as const;

/** Those that a message requests, in their order. */
export function requestedTimeouts(timeout: MessageScript['timeout']): readonly (keyof typeof timeouts)[] {
  if (timeout === 'several') return ['inSchedule', 'inSchedule', 'inQueue'];
  return timeout === 'inQueue' || timeout === 'inSchedule' ? [timeout] : [];
}

const quiet = {
  sends: [],
  timeout: 'none',
  pauses: 0,
  failures: 0,
  completes: false,
  isOutdated: false,
} as const;

/** The body of a message that a handler sends; what comes of it sends nothing itself but a note. */
export function bodyOfSend(
  { type, saga, answered }: SendScript,
  seen: number,
  life: string,
): Record<string, unknown> {
  if (type === 'Note') return { saga, answered, seen, life };
  const sends: SendScript[] = answered ? [{ type: 'Note', saga, answered: false }] : [];
  return { ...quiet, saga, sends, seen, life };
}

export function destinationOfSend({ type }: SendScript): string {
  return type === 'Note' ? endpointNames.audit : endpointNames.orders;
}

export function publishedNote(saga: string): Record<string, unknown> {
  return { saga, answered: true };
}

export function answerToNote(saga: string): Record<string, unknown> {
  return { ...quiet, saga };
}

export function timeoutBody(saga: string, life: string): Record<string, unknown> {
  return { ...quiet, saga, life };
}

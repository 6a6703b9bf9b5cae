import { beforeAbort } from '../../core/async/before-abort.ts';
import { mapConcurrently } from '../../core/async/map-concurrently.ts';
import { retryWithBackoff } from '../../core/async/retry-with-backoff.ts';
import { SagaboxError } from '../../core/failures/errors.ts';
import type { OutgoingMessage } from '../../core/incoming/message.ts';
import { limits } from '../../core/limits.ts';
import { DISPATCH_CONCURRENCY, type DispatchOptions } from '../../core/outgoing/dispatch-options.ts';
import type { SendFailure } from './send-batcher.ts';

/** Of one message, until its lane is given up. */
const MAX_TRIES = 4;
/** Each lane has its own end. */
const backoff = { maxRetries: Number.POSITIVE_INFINITY, baseDelayMs: 100, maxDelayMs: 400 } as const;

/** As many messages as the calls of one dispatch hold. */
const MAX_LANES = DISPATCH_CONCURRENCY * limits.sendBatchEntries;

/** How messages are sent to one destination. */
export interface Sending {
  /** The destination's name. */
  readonly destination: string;
  /** Whether a message waits for those of its group before it. */
  readonly inOrder: boolean;
  /** The names of errors of a whole call that no retry helps; all others may pass. */
  readonly finalErrors: ReadonlySet<string>;
  send(message: OutgoingMessage, signal: AbortSignal | undefined): Promise<SendFailure | undefined>;
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
  /** From 0 up to 1. */
  random(): number;
}

/** Messages that go one after another. */
interface Lane {
  readonly messages: readonly OutgoingMessage[];
  /** How often its first message was not taken. */
  readonly tries: number;
}

/** A lane from the message on that was not taken. */
interface StoppedLane extends Lane {
  readonly failure: SendFailure;
}

/**
 * Sends messages to one destination: side by side, but those of a group in their order, where one is kept.
 * What was refused through no fault of its own is sent again.
 *
 * @throws SagaboxError `DispatchFailed` or `DispatchRefused` when a message was not taken; others may have
 *   been.
 */
export async function sendInRounds(
  messages: readonly OutgoingMessage[],
  sending: Sending,
  options: DispatchOptions = {},
): Promise<void> {
  const failures: SendFailure[] = [];
  let lanes = lanesOf(messages, sending.inOrder);
  const sendLanesOnce = async () => {
    const stopped = await sendLanes(lanes, sending, options);
    const { over = [], passing = [] } = Object.groupBy(stopped, ({ failure, tries }) =>
      failure.isFinal || tries === MAX_TRIES ? 'over' : 'passing',
    );
    for (const {
      failure,
      messages: [refused],
    } of over) {
      failures.push(failure);
      if (refused && !failure.isFinal) options.onRefused?.(refused.id, failure);
    }
    lanes = passing;
  };
  const isUnfinished = () => lanes.length > 0;
  const { sleep, random } = sending;
  const { signal } = options;
  await retryWithBackoff(sendLanesOnce, { backoff, isUnfinished, sleep, random, signal });
  if (failures.length > 0) throw dispatchError(sending.destination, failures);
}

/** An error of a call as a whole, as one of ours. */
export function callError(
  destination: string,
  error: unknown,
  finalErrors: ReadonlySet<string>,
): SagaboxError {
  return dispatchError(destination, [failureOf(error, finalErrors)]);
}

function failureOf(error: unknown, finalErrors: ReadonlySet<string>): SendFailure {
  const { name, message } = error as Error;
  return { isFinal: finalErrors.has(name), detail: `${name}: ${message}`, cause: error };
}

function lanesOf(messages: readonly OutgoingMessage[], inOrder: boolean): readonly Lane[] {
  const groups = inOrder
    ? [...Map.groupBy(messages, ({ messageGroupId }) => messageGroupId).values()]
    : messages.map((message) => [message]);
  return groups.map((group) => ({ messages: group, tries: 0 }));
}

/**
 * Sends each lane up to the first message that is not taken. A call that fails as a whole for a cause that
 * may pass lets no further one begin: the others would most likely fail alike.
 */
async function sendLanes(
  lanes: readonly Lane[],
  sending: Sending,
  { signal, onTaken, onRefused }: DispatchOptions,
): Promise<StoppedLane[]> {
  let callFailed = false;
  const sendLane = async ({ messages, tries }: Lane): Promise<StoppedLane | undefined> => {
    for (const [index, message] of messages.entries()) {
      if (callFailed) return undefined;
      const failure = await sendOnce(message, sending, signal).catch((error: unknown) => {
        callFailed = true;
        throw error;
      });
      // Told at once: the call of another lane may fail, and end the round.
      if (failure?.isFinal) onRefused?.(message.id, failure);
      if (failure) return { messages: messages.slice(index), tries: index === 0 ? tries + 1 : 1, failure };
      onTaken?.([message.id]);
    }
    return undefined;
  };
  const stopped = await mapConcurrently(lanes, MAX_LANES, sendLane);
  return stopped.filter((lane) => lane !== undefined);
}

/**
 * Once the signal is aborted the call is not waited for: it may be shared with messages that are not aborted,
 * or the SDK may sleep between two tries. It does no harm that the service may still take the message: its
 * record is not marked, so that the next delivery sends it again, with the same id; and nothing that stands
 * behind it in order has been sent.
 */
async function sendOnce(
  message: OutgoingMessage,
  { destination, finalErrors, send }: Sending,
  signal: AbortSignal | undefined,
): Promise<SendFailure | undefined> {
  try {
    return await beforeAbort(send(message, signal), signal);
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    const failure = failureOf(error, finalErrors);
    // It is that of this message, or of the destination: the other lanes find out by themselves.
    if (failure.isFinal) return failure;
    throw dispatchError(destination, [failure]);
  }
}

function dispatchError(destination: string, failures: readonly SendFailure[]): SagaboxError {
  const code = failures.every(({ isFinal }) => isFinal) ? 'DispatchRefused' : 'DispatchFailed';
  const details = [...new Set(failures.map(({ detail }) => detail))];
  return new SagaboxError(code, { destination, failures: details }, { cause: failures[0]?.cause });
}

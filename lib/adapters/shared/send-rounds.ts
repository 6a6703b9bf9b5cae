import { beforeAbort } from '../../core/async/before-abort.ts';
import { mapConcurrently } from '../../core/async/map-concurrently.ts';
import { retryWithBackoff } from '../../core/async/retry-with-backoff.ts';
import { isSagaboxError, SagaboxError } from '../../core/failures/errors.ts';
import type { OutgoingMessage } from '../../core/incoming/message.ts';
import { DISPATCH_CONCURRENCY, type DispatchOptions } from '../../core/outgoing/dispatch-options.ts';

const backoff = { maxRetries: 3, baseDelayMs: 100, maxDelayMs: 400 } as const;

export interface SendFailure {
  /** Whether it fails again however often it is sent. */
  readonly isFinal: boolean;
  readonly detail: string;
}

/** A message of a call that was not taken, by its place among those that the call sent. */
export interface EntryFailure extends SendFailure {
  readonly index: number;
}

/** How messages are sent to one destination. */
export interface BatchSending {
  /** The destination's name. */
  readonly destination: string;
  /** Whether what stands behind a failed message waits for it. */
  readonly inOrder: boolean;
  /** The names of errors of a whole call that no retry helps; all others may pass. */
  readonly finalErrors: ReadonlySet<string>;
  /** One call, in which each message is taken or refused by itself. */
  send(batch: readonly OutgoingMessage[], signal: AbortSignal | undefined): Promise<readonly EntryFailure[]>;
  sleep(durationMs: number, signal?: AbortSignal): Promise<void>;
  /** From 0 up to 1. */
  random(): number;
}

/**
 * Sends batches to one destination: side by side where no order is to be kept. A call that fails as a whole
 * for a cause that may pass lets no further one begin: the others would most likely fail alike.
 *
 * @throws SagaboxError `DispatchFailed` or `DispatchRefused` when a message was not taken; others may have
 *   been.
 */
export async function sendBatches(
  batches: readonly (readonly OutgoingMessage[])[],
  sending: BatchSending,
  options: DispatchOptions = {},
): Promise<void> {
  const failures: SendFailure[] = [];
  let callFailed = false;
  const lanes = sending.inOrder ? [batches] : batches.map((batch) => [batch]);
  await mapConcurrently(lanes, DISPATCH_CONCURRENCY, async (lane) => {
    for (const batch of lane) {
      if (callFailed) return;
      const failed = await sendInRounds(batch, sending, options).catch((error: unknown) => {
        callFailed ||= !(isSagaboxError(error) && error.code === 'DispatchRefused');
        throw error;
      });
      failures.push(...failed);
      if (failed.length > 0 && sending.inOrder) return;
    }
  });
  if (failures.length > 0) throw dispatchError(sending.destination, failures);
}

/** An error of a call as a whole, as one of ours. */
export function callError(
  destination: string,
  error: unknown,
  finalErrors: ReadonlySet<string>,
): SagaboxError {
  const { name, message } = error as Error;
  const failure = { isFinal: finalErrors.has(name), detail: `${name}: ${message}` };
  return dispatchError(destination, [failure], error);
}

/** What was refused through no fault of its own is sent again. */
async function sendInRounds(
  batch: readonly OutgoingMessage[],
  sending: BatchSending,
  { signal, onTaken }: DispatchOptions,
): Promise<readonly SendFailure[]> {
  const refused: SendFailure[] = [];
  let pending = batch;
  const sendPending = async () => {
    const failed = await sendOnce(pending, sending, signal);
    if (failed.length === 0) {
      onTaken?.(pending.map(({ id }) => id));
      return [];
    }
    const failures = new Map(failed.map((failure) => [failure.index, failure]));
    onTaken?.(pending.filter((_message, index) => !failures.has(index)).map(({ id }) => id));
    refused.push(...failed.filter(({ isFinal }) => isFinal));
    pending = pending.filter((_message, index) => failures.get(index)?.isFinal === false);
    return failed.filter(({ isFinal }) => !isFinal);
  };
  const { sleep, random } = sending;
  const isUnfinished = (passing: readonly SendFailure[]) => passing.length > 0;
  const passing = await retryWithBackoff(sendPending, { backoff, isUnfinished, sleep, random, signal });
  return [...refused, ...passing];
}

/**
 * Once the signal is aborted the call is not waited for: it may be shared with messages that are not aborted,
 * or the SDK may sleep between two tries. It does no harm that the service may still take the messages: their
 * record is not marked, so that the next delivery sends them again, with the same ids; and nothing that
 * stands behind them in order has been sent.
 */
async function sendOnce(
  batch: readonly OutgoingMessage[],
  { destination, finalErrors, send }: BatchSending,
  signal: AbortSignal | undefined,
): Promise<readonly EntryFailure[]> {
  try {
    return await beforeAbort(send(batch, signal), signal);
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw callError(destination, error, finalErrors);
  }
}

function dispatchError(destination: string, failures: readonly SendFailure[], cause?: unknown): SagaboxError {
  const code = failures.every(({ isFinal }) => isFinal) ? 'DispatchRefused' : 'DispatchFailed';
  return new SagaboxError(code, { destination, failures: failures.map(({ detail }) => detail) }, { cause });
}

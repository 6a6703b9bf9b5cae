import { SagaboxError } from './errors.ts';
import type { OutgoingMessage } from './message.ts';

const MAXIMUM_ROUNDS = 4;
const BASE_DELAY_MS = 50;

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
  send(batch: readonly OutgoingMessage[]): Promise<readonly EntryFailure[]>;
  sleep(durationMs: number): Promise<void>;
}

/** @throws SagaboxError `DispatchFailed` or `DispatchRefused` when a message was not taken; others may have been. */
export async function sendBatches(
  batches: readonly (readonly OutgoingMessage[])[],
  sending: BatchSending,
): Promise<void> {
  const failures: SendFailure[] = [];
  for (const batch of batches) {
    failures.push(...(await sendInRounds(batch, sending)));
    if (failures.length > 0 && sending.inOrder) break;
  }
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
): Promise<readonly SendFailure[]> {
  const refused: SendFailure[] = [];
  let pending = batch;
  for (let round = 1; ; round += 1) {
    const failed = await sendOnce(pending, sending);
    refused.push(...failed.filter(({ isFinal }) => isFinal));
    const passing = failed.filter(({ isFinal }) => !isFinal);
    if (passing.length === 0 || round === MAXIMUM_ROUNDS) return [...refused, ...passing];
    const places = new Set(passing.map(({ index }) => index));
    pending = pending.filter((_message, index) => places.has(index));
    await sending.sleep(BASE_DELAY_MS * 2 ** round);
  }
}

async function sendOnce(
  batch: readonly OutgoingMessage[],
  { destination, finalErrors, send }: BatchSending,
): Promise<readonly EntryFailure[]> {
  try {
    return await send(batch);
  } catch (error) {
    throw callError(destination, error, finalErrors);
  }
}

function dispatchError(destination: string, failures: readonly SendFailure[], cause?: unknown): SagaboxError {
  const code = failures.every(({ isFinal }) => isFinal) ? 'DispatchRefused' : 'DispatchFailed';
  return new SagaboxError(code, { destination, failures: failures.map(({ detail }) => detail) }, { cause });
}

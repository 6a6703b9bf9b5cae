import { allAborted } from '../../kernel/async/all-aborted.ts';
import { beforeAbort } from '../../kernel/async/before-abort.ts';
import { backoffDelayMs } from '../../kernel/async/retry-with-backoff.ts';
import { Semaphore } from '../../kernel/async/semaphore.ts';
import { settled } from '../../kernel/async/settle.ts';
import type { InFlight } from '../../kernel/calls/in-flight.ts';
import type { Clock } from '../../kernel/clock.ts';
import { limits } from '../../kernel/limits.ts';
import { addressOf, type Destination, isFifo } from '../../messages/destinations/destination.ts';
import type { OutgoingMessage } from '../../messages/message.ts';
import { DISPATCH_CONCURRENCY, type DispatchOptions } from '../dispatch-options.ts';
import type { Transport } from '../dispatcher.ts';
import { callFailure, failsWithAny } from './send-failure.ts';
import { type Send, SendLanes } from './send-lanes.ts';
import type { SendService } from './send-service.ts';

const backoff = { baseDelayMs: 100, maxDelayMs: 400 } as const;

export interface SenderOptions<To extends Destination> {
  readonly service: SendService<To>;
  readonly clock: Clock;
  /** The commits under way, each of which is about to be followed by a dispatch. */
  readonly commits: InFlight;
  /** Returns a number from 0 up to 1; `Math.random` by default. */
  readonly random?: () => number;
}

/** The messages of one call, of one dispatch or of several. */
interface Batch {
  readonly sends: Send[];
  readonly full: PromiseWithResolvers<void>;
  /** The call, made by the dispatch that opened the batch. */
  answered?: Promise<Batch>;
}

/** The state that all dispatches to one address share. */
interface Outlet {
  /** Batches that take further messages, the oldest first. */
  readonly open: Set<Batch>;
  readonly calls: Semaphore;
}

/**
 * Sends messages to destinations of one kind, in as few calls as possible: messages of one dispatch share
 * calls, and so do those of dispatches whose messages are committed at the same time.
 */
export class Sender<To extends Destination = Destination> implements Transport {
  readonly #options: SenderOptions<To>;
  readonly #finalErrors: ReadonlySet<string>;
  /** The outlets by the address of the destination. */
  readonly #outlets = new Map<string, Outlet>();

  constructor(options: SenderOptions<To>) {
    this.#options = options;
    const { destinationErrors, messageErrors } = options.service;
    this.#finalErrors = new Set([...destinationErrors, ...messageErrors]);
  }

  /**
   * Sends messages of one dispatch, and again, after a delay, those that were refused through no fault of
   * their own.
   *
   * Once the signal is aborted, no call is waited for: a call may be shared with dispatches that are not
   * aborted, or the SDK may sleep between two tries. The service may still take a message, which does no
   * harm: its record is not marked, so that the next delivery sends it again, with the same id, and no
   * message behind it in order has been sent.
   */
  async send(messages: readonly OutgoingMessage[], to: To, options: DispatchOptions = {}): Promise<void> {
    const { service, clock, random = Math.random } = this.#options;
    const { signal } = options;
    if (service.load && messages.length > 0) await service.load();
    const outlet = this.#outletOf(to);
    const lanes = new SendLanes(messages, isFifo(to), service.bytesOf, options);
    const underWay = new Set<Batch>();
    for (let delays = 0; ; ) {
      signal?.throwIfAborted();
      for (const send of lanes.next()) underWay.add(this.#batchFor(send, to, outlet));
      const calls = [...underWay].map((batch) => (batch.answered ??= this.#call(batch, to, outlet)));
      if (calls.length > 0) underWay.delete(await beforeAbort(Promise.race(calls), signal));
      else if (lanes.areRefused) {
        await clock.sleep(backoffDelayMs(delays, backoff, random()), signal);
        delays += 1;
        lanes.sendAgain();
      } else break;
    }
    lanes.assertTaken(to.name);
  }

  /**
   * Makes the call of a batch, once all messages that are about to be sent have joined it. Never throws.
   *
   * The call ends early only when the signals of all dispatches that share it are aborted.
   */
  async #call(batch: Batch, to: To, { open, calls }: Outlet): Promise<Batch> {
    const { service, clock, commits } = this.#options;
    // To gather saves calls, and nothing else: a wait that fails ends early.
    if (open.has(batch)) await commits.gatherBehind(clock, batch.full.promise).catch(() => {});
    open.delete(batch);
    await calls.acquire();
    const sends = batch.sends.filter(({ lanes }) => !lanes.isOver);
    const messages = sends.map(({ message }) => message);
    const signal = allAborted(sends.map(({ lanes }) => lanes.signal));
    const answer = sends.length > 0 ? await settled(service.call(messages, to, signal)) : undefined;
    calls.release();
    if (answer?.status === 'rejected') this.#noteCallFailure(sends, answer.reason);
    else {
      const failureAt = new Map(answer?.value.map((failure) => [failure.index, failure]));
      for (const [index, send] of sends.entries()) send.lanes.note(send, failureAt.get(index));
    }
    return batch;
  }

  /** Sends each message again by itself, unless it would fail alike: a wrong message fails no other. */
  #noteCallFailure(sends: readonly Send[], error: unknown): void {
    const isOfEach =
      sends.length === 1 ||
      failsWithAny(error) ||
      this.#options.service.destinationErrors.has((error as Error).name);
    const failure = callFailure(error, this.#finalErrors);
    for (const send of sends) {
      if (!isOfEach) send.lanes.sendAlone(send);
      else if (failure.isFinal) send.lanes.note(send, failure);
      else send.lanes.noteCallFailure(failure);
    }
  }

  /** Adds a send to the oldest batch that has room, or to a new one. */
  #batchFor(send: Send, to: To, { open }: Outlet): Batch {
    if (send.isAlone) return newBatch(send);
    const { maxBytes } = this.#options.service;
    const joined = [...open].find((batch) => hasRoom(batch, send, maxBytes, isFifo(to)));
    const batch = joined ?? newBatch(send);
    if (joined) joined.sends.push(send);
    else open.add(batch);
    if (batch.sends.length === limits.sendBatchEntries) {
      open.delete(batch);
      batch.full.resolve();
    }
    return batch;
  }

  #outletOf(to: To): Outlet {
    const address = addressOf(to);
    const outlet = this.#outlets.get(address) ?? {
      open: new Set(),
      calls: new Semaphore(DISPATCH_CONCURRENCY),
    };
    this.#outlets.set(address, outlet);
    return outlet;
  }
}

function newBatch(send: Send): Batch {
  return { sends: [send], full: Promise.withResolvers<void>() };
}

/**
 * Whether a batch can take a send. Two messages of one FIFO group never share a call: the service may refuse
 * the first and take the second, which would reverse their order.
 */
function hasRoom({ sends }: Batch, send: Send, maxBytes: number, inOrder: boolean): boolean {
  const isSameGroup = ({ message }: Send) => message.messageGroupId === send.message.messageGroupId;
  return (
    sends.reduce((total, { bytes }) => total + bytes, send.bytes) <= maxBytes &&
    !(inOrder && sends.some(isSameGroup))
  );
}

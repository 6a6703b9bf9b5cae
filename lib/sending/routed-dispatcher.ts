import { mapConcurrently } from '../kernel/async/map-concurrently.ts';
import { settleAll } from '../kernel/async/settle.ts';
import type { Clock } from '../kernel/clock.ts';
import { SagaboxError } from '../kernel/errors/errors.ts';
import { gaveNoAnswer } from '../kernel/errors/no-answer.ts';
import { isError } from '../kernel/errors/thrown.ts';
import { limits } from '../kernel/limits.ts';
import {
  type Destination,
  type Destinations,
  firstOf,
  isFifo,
  unknownDestination,
} from '../messages/destinations/destination.ts';
import { isCancellation, type OutgoingMessage, type OutgoingOperation } from '../messages/message.ts';
import { DISPATCH_CONCURRENCY, type DispatchOptions } from './dispatch-options.ts';
import type { Dispatcher, Transport } from './dispatcher.ts';
import type { Scheduler } from './schedules/scheduler.ts';

export interface Routes {
  readonly destinations: Destinations;
  /** A transport for each kind of destination. */
  readonly transports: Readonly<Record<Destination['kind'], Transport>>;
  /** The scheduler of long delays; `undefined` if none is configured. */
  readonly scheduler: Scheduler | undefined;
  readonly clock: Clock;
  /** Counts each dispatch while it is under way. @default - no dispatch is counted */
  readonly dispatches?: { during<T>(dispatch: Promise<T>): Promise<T> };
}

/** One operation that the scheduler carries out. */
interface SchedulerCall {
  readonly operationId: string;
  make(): Promise<void>;
}

/**
 * Sends each operation by the transport of its destination, or by the scheduler if it is not due yet. Several
 * names of one queue or topic count as one destination, so that its messages keep one order.
 */
export class RoutedDispatcher implements Dispatcher {
  readonly #routes: Routes;

  constructor(routes: Routes) {
    this.#routes = routes;
  }

  async dispatch(operations: readonly OutgoingOperation[], options: DispatchOptions = {}): Promise<void> {
    const { destinations, transports, scheduler, clock, dispatches } = this.#routes;
    const { signal } = options;
    signal?.throwIfAborted();
    const now = clock.now();
    const waiting: SchedulerCall[] = [];
    const due = new Map<Destination, OutgoingMessage[]>();
    const unknown: Promise<void>[] = [];
    for (const operation of operations) {
      if (isCancellation(operation)) {
        const { id: operationId, cancels } = operation;
        waiting.push({ operationId, make: async () => await scheduler?.cancel(cancels, signal) });
        continue;
      }
      const destination = destinations.get(operation.destination);
      if (destination === undefined) {
        unknown.push(Promise.reject(unknownDestination(operation.destination, destinations)));
        continue;
      }
      const message = asOf(now, operation, destination);
      const make = () => this.#schedule(message, destination, signal);
      if (message.dueAt !== undefined) waiting.push({ operationId: message.id, make });
      else {
        const to = firstOf(destination, destinations);
        if (due.get(to)?.push(message) === undefined) due.set(to, [message]);
      }
    }
    const sending = [...unknown];
    for (const [to, messages] of due) sending.push(transports[to.kind].send(messages, to, options));
    const dispatch = settleAll([...sending, callScheduler(waiting, options)]);
    await (dispatches?.during(dispatch) ?? dispatch);
  }

  async #schedule(
    message: OutgoingMessage,
    destination: Destination,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const { scheduler } = this.#routes;
    if (scheduler === undefined || destination.kind !== 'queue') {
      const failures = ['no scheduler is configured any more for a message that is due later'];
      throw new SagaboxError('DispatchRefused', { destination: destination.name, failures });
    }
    await scheduler.schedule(message, destination, signal);
  }
}

/** Makes one call for each schedule. After a call without an answer no further one is made. */
async function callScheduler(
  calls: readonly SchedulerCall[],
  { signal, onTaken }: DispatchOptions,
): Promise<void> {
  let unanswered: unknown;
  await mapConcurrently(calls, DISPATCH_CONCURRENCY, async ({ operationId, make }) => {
    signal?.throwIfAborted();
    if (unanswered !== undefined) throw unanswered;
    try {
      await make();
    } catch (error) {
      if (isError(error) && gaveNoAnswer(error.cause)) unanswered = error;
      throw error;
    }
    onTaken?.([operationId]);
  });
}

/** The message with the delay that is left: in the queue if that can delay so long, else by a schedule. */
function asOf(now: Date, message: OutgoingMessage, destination: Destination): OutgoingMessage {
  if (message.dueAt === undefined) return message;
  const { dueAt, delaySeconds, ...others } = message;
  const secondsLeft = Math.ceil((new Date(dueAt).getTime() - now.getTime()) / 1000);
  if (secondsLeft <= 0) return others;
  // Clocks differ: never more than the delay that was committed.
  if (delaySeconds !== undefined) return { ...others, delaySeconds: Math.min(secondsLeft, delaySeconds) };
  const queueCanWait = secondsLeft <= limits.delaySeconds && !isFifo(destination);
  return queueCanWait ? { ...others, delaySeconds: secondsLeft } : message;
}

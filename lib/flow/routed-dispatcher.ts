import { type Destination, type Destinations, isFifo, unknownDestination } from '../core/destination.ts';
import { SagaboxError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import { mapConcurrently } from '../core/map-concurrently.ts';
import { isCancellation, type OutgoingMessage, type OutgoingOperation } from '../core/message.ts';
import { settleAll } from '../core/settle.ts';
import type { Clock, Dispatcher, Scheduler, Transport } from '../ports.ts';

export interface Routes {
  readonly destinations: Destinations;
  /** One for each kind of destination. */
  readonly transports: Readonly<Record<Destination['kind'], Transport>>;
  /** Nothing where no long delays are configured. */
  readonly scheduler: Scheduler | undefined;
  readonly clock: Clock;
}

/** Calls of a scheduler at a time: it takes one schedule a call. */
const SCHEDULER_CONCURRENCY = 10;

/** Gives each operation to what carries it out: a transport by its destination, or the scheduler for what is not due yet. */
export class RoutedDispatcher implements Dispatcher {
  readonly #routes: Routes;

  constructor(routes: Routes) {
    this.#routes = routes;
  }

  async dispatch(operations: readonly OutgoingOperation[]): Promise<void> {
    const { transports, clock } = this.#routes;
    const now = clock.now();
    const waiting: (() => Promise<void>)[] = [];
    const due = new Map<Destination['kind'], OutgoingMessage[]>();
    const unknown: Promise<void>[] = [];
    for (const operation of operations) {
      if (isCancellation(operation)) {
        waiting.push(async () => await this.#routes.scheduler?.cancel(operation.cancels));
        continue;
      }
      const destination = this.#routes.destinations.get(operation.destination);
      if (destination === undefined) {
        unknown.push(Promise.reject(unknownDestination(operation.destination, this.#routes.destinations)));
        continue;
      }
      const message = asOf(now, operation, destination);
      if (message.dueAt !== undefined) waiting.push(() => this.#schedule(message, destination));
      else if (due.get(destination.kind)?.push(message) === undefined) due.set(destination.kind, [message]);
    }
    await settleAll([
      ...unknown,
      ...[...due].map(([kind, messages]) => transports[kind].dispatch(messages)),
      mapConcurrently(waiting, SCHEDULER_CONCURRENCY, (call) => call()),
    ]);
  }

  async #schedule(message: OutgoingMessage, destination: Destination): Promise<void> {
    const { scheduler } = this.#routes;
    if (scheduler === undefined || destination.kind !== 'queue') {
      const failures = ['no scheduler is configured any more for a message that is due later'];
      throw new SagaboxError('DispatchRefused', { destination: destination.name, failures });
    }
    await scheduler.schedule(message, destination);
  }
}

/** What is dispatched late waits for the rest of its time: in the queue where that can, or not at all. */
function asOf(now: Date, message: OutgoingMessage, destination: Destination): OutgoingMessage {
  const { dueAt, delaySeconds, ...others } = message;
  if (dueAt === undefined) return message;
  const secondsLeft = Math.ceil((new Date(dueAt).getTime() - now.getTime()) / 1000);
  if (secondsLeft <= 0) return others;
  // The clock may run behind that of whoever committed it.
  if (delaySeconds !== undefined) return { ...others, delaySeconds: Math.min(secondsLeft, delaySeconds) };
  const queueCanWait = secondsLeft <= limits.delaySeconds && !isFifo(destination);
  return queueCanWait ? { ...others, delaySeconds: secondsLeft } : message;
}

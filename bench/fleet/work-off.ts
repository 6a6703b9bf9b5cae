import type { SqsBatchHandler } from 'sagabox';
import { type DoneMessage, functionTimeoutMs, work } from '../../test/support/event-source.ts';
import { beside, type Companion } from '../../test/support/load-kill-verify/beside.ts';
import { runLoad } from '../../test/support/load-kill-verify/run-load.ts';
import { type Clients, withClients } from '../../test/support/own-engines/clients.ts';
import type { Engines } from '../../test/support/own-engines/engines.ts';
import type { RedrivingQueue } from '../../test/support/own-engines/queues.ts';
import { messagesIn } from '../../test/support/received-records.ts';

/** An endpoint: a queue, and as many instances of its function as there are pollers. */
export interface Consumer {
  readonly queue: RedrivingQueue;
  /** Of one instance. */
  readonly newHandler: (clients: Clients) => SqsBatchHandler;
  readonly pollers: number;
  readonly batchSize: number;
}

export interface Phase {
  readonly send: () => Promise<void>;
  /** Different messages that are handled, or in a dead-letter queue, when it is over. */
  readonly messages: number;
}

interface Work {
  /** Each begins when the one before is over; the first is sent before there is a poller. */
  readonly phases: readonly [Phase, ...Phase[]];
  /**
   * The seconds of a phase end with the last message that counts here.
   *
   * @default all count
   */
  readonly isTimed?: (message: DoneMessage) => boolean;
}

const tickMs = 50;
/** A queue hides what a function held that ended late for half of that. */
const stallMs = () => 12 * functionTimeoutMs;

/**
 * Starts all pollers, until every message is done or dead. They go on from phase to phase: a queue hides what it
 * gave to one that ended.
 *
 * @returns the seconds of the phases, each until its last message was done
 * @throws Error if nothing moves any more, with messages left
 */
export async function workOff(
  engines: Engines,
  consumers: readonly Consumer[],
  { phases, isTimed = () => true }: Work,
  interrupt: AbortSignal,
): Promise<number> {
  const done = new Set<string>();
  let awaited = 0;
  let doneBefore = 0;
  let endedAt = 0;
  const onDone = async (handled: readonly DoneMessage[]) => {
    for (const { id } of handled) done.add(id);
    if (handled.some(isTimed)) endedAt = performance.now();
  };
  const poller =
    ({ queue, newHandler, batchSize }: Consumer): Companion =>
    (signal) =>
      withClients(engines, ({ sqsClient, ...others }) => {
        const handler = newHandler({ sqsClient, ...others });
        return work({ sqsClient, queue, handler, batchSize, onDone }, signal);
      });
  const pollers = consumers.flatMap((consumer) =>
    Array.from({ length: consumer.pollers }, () => poller(consumer)),
  );
  const deadLetterQueues = consumers.map(({ queue }) => queue.deadLetterQueueUrl);
  return await withClients(engines, async ({ sqsClient }) => {
    const look = async () => {
      // Dead messages are asked for when nothing moves: a call takes time of what is measured.
      const isMoving = done.size > doneBefore;
      doneBefore = done.size;
      const dead = isMoving ? 0 : await messagesIn(sqsClient, deadLetterQueues);
      return { isSettled: done.size + dead >= awaited, progress: done.size };
    };
    await phases[0].send();
    return await beside(
      pollers,
      async (signal) => {
        let milliseconds = 0;
        for (const [index, { send, messages }] of phases.entries()) {
          awaited += messages;
          const startedAt = performance.now();
          endedAt = startedAt;
          const load = { send: index === 0 ? undefined : send, look, tickMs, stallMs };
          if (!(await runLoad(load, signal)))
            throw new Error(`Nothing moves any more, and ${done.size} of ${awaited} messages are done`);
          milliseconds += endedAt - startedAt;
        }
        return milliseconds / 1000;
      },
      interrupt,
    );
  });
}

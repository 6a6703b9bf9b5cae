import type { SqsBatchHandler } from 'sagabox';
import { settleAll } from '../../lib/core/async/settle.ts';
import { type DoneMessage, work } from '../../test/support/event-source.ts';
import { type Clients, withClients } from '../../test/support/own-engines/clients.ts';
import type { Engines } from '../../test/support/own-engines/engines.ts';
import { messagesWaiting, type RedrivingQueue } from '../../test/support/own-engines/queues.ts';

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

const timeoutMs = 10 * 60_000;

/**
 * Starts all pollers, until every message is done or dead. They go on from phase to phase: a queue hides what it
 * gave to one that ended.
 *
 * @returns the seconds of the phases, each until its last message was done
 * @throws Error if the messages are not done in ten minutes
 */
export async function workOff(
  engines: Engines,
  consumers: readonly Consumer[],
  { phases, isTimed = () => true }: Work,
  interrupt: AbortSignal,
): Promise<number> {
  const finished = new AbortController();
  const signal = AbortSignal.any([finished.signal, interrupt, AbortSignal.timeout(timeoutMs)]);
  const done = new Set<string>();
  const [first, ...later] = phases;
  let awaited = first.messages;
  await first.send();
  let startedAt = performance.now();
  let endedAt = startedAt;
  let milliseconds = 0;
  const nextPhase = async () => {
    milliseconds += endedAt - startedAt;
    const phase = later.shift();
    if (phase === undefined) return finished.abort();
    awaited += phase.messages;
    startedAt = performance.now();
    endedAt = startedAt;
    await phase.send();
  };
  const onDone = async (handled: readonly DoneMessage[]) => {
    for (const { id } of handled) done.add(id);
    if (handled.some(isTimed)) endedAt = performance.now();
    if (done.size >= awaited && !finished.signal.aborted) await nextPhase();
  };
  const onIdle = async (sqsClient: Clients['sqsClient']) => {
    const ofPhase = awaited;
    const dead = consumers.map(({ queue }) => messagesWaiting(sqsClient, queue.deadLetterQueueUrl));
    const deadLettered = (await Promise.all(dead)).reduce((sum, count) => sum + count, 0);
    const isOver = ofPhase === awaited && done.size + deadLettered >= awaited;
    if (isOver && !finished.signal.aborted) await nextPhase();
  };
  const poll = async ({ queue, newHandler, batchSize }: Consumer, clients: Clients) => {
    const handler = newHandler(clients);
    const { sqsClient } = clients;
    const source = { sqsClient, queue, handler, batchSize, onDone, onIdle: () => onIdle(sqsClient) };
    await work(source, signal).catch((error) => {
      finished.abort();
      throw error;
    });
  };
  const pollers = consumers.flatMap((consumer) =>
    Array.from({ length: consumer.pollers }, () =>
      withClients(engines, (clients) => poll(consumer, clients)),
    ),
  );
  await settleAll(pollers);
  interrupt.throwIfAborted();
  if (!finished.signal.aborted) throw new Error(`${done.size} of ${awaited} messages were done in time`);
  return milliseconds / 1000;
}

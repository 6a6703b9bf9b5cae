import type { SqsBatchHandler } from 'sagabox';
import { settleAll } from '../../lib/core/async/settle.ts';
import { type Clients, withClients } from '../../test/support/own-engines/clients.ts';
import type { Engines } from '../../test/support/own-engines/engines.ts';
import { messagesWaiting, type RedrivingQueue } from '../../test/support/own-engines/queues.ts';
import { type DoneMessage, work } from './event-source.ts';

/** An endpoint: a queue, and as many instances of its function as there are pollers. */
export interface Consumer {
  readonly queue: RedrivingQueue;
  /** Of one instance. */
  readonly newHandler: (clients: Clients) => SqsBatchHandler;
  readonly pollers: number;
  readonly batchSize: number;
}

interface Work {
  /** Different messages that will have been handled, or be in a dead-letter queue, at the end. */
  readonly messages: number;
  /**
   * The seconds end with the last message that counts here.
   *
   * @default all count
   */
  readonly isTimed?: (message: DoneMessage) => boolean;
}

const timeoutMs = 10 * 60_000;

/**
 * Starts all pollers, until every message is done or dead.
 *
 * @returns the seconds until the last message was done
 * @throws Error if the messages are not done in ten minutes
 */
export async function workOff(
  engines: Engines,
  consumers: readonly Consumer[],
  { messages, isTimed = () => true }: Work,
  interrupt: AbortSignal,
): Promise<number> {
  const finished = new AbortController();
  const signal = AbortSignal.any([finished.signal, interrupt, AbortSignal.timeout(timeoutMs)]);
  const done = new Set<string>();
  const startedAt = performance.now();
  let endedAt = startedAt;
  const onDone = (handled: readonly DoneMessage[]) => {
    for (const { id } of handled) done.add(id);
    if (handled.some(isTimed)) endedAt = performance.now();
    if (done.size >= messages) finished.abort();
  };
  const onIdle = async (sqsClient: Clients['sqsClient']) => {
    const dead = consumers.map(({ queue }) => messagesWaiting(sqsClient, queue.deadLetterQueueUrl));
    const deadLettered = (await Promise.all(dead)).reduce((sum, count) => sum + count, 0);
    if (done.size + deadLettered >= messages) finished.abort();
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
  if (!finished.signal.aborted) throw new Error(`${done.size} of ${messages} messages were done in time`);
  return (endedAt - startedAt) / 1000;
}

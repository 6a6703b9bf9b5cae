import { randomUUID } from 'node:crypto';
import type { CreateHandlerOptions, Locking, SagaOutboxForm, SqsBatchHandler } from 'sagabox';
import { CallRecorder } from '../../lib/capacity/measured/call-recorder.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { redriveAfter } from '../../test/support/event-source.ts';
import { type Clients, withClients } from '../../test/support/own-engines/clients.ts';
import type { Engines } from '../../test/support/own-engines/engines.ts';
import {
  messagesWaiting,
  type RedrivingQueue,
  withRedrivingQueue,
} from '../../test/support/own-engines/queues.ts';
import { withTable } from '../../test/support/own-engines/tables.ts';
import type { ContentionRound } from '../benchmark/figures.ts';
import { countCalls } from '../fleet/count-calls.ts';
import { workOff } from '../fleet/work-off.ts';
import { appliedCounts, counterSaga } from './counter-saga.ts';
import { sendAll } from './send-all.ts';

type Saga = ReturnType<typeof counterSaga>;
export type MakeHandler = (saga: Saga, options: CreateHandlerOptions) => SqsBatchHandler;

interface Load {
  readonly messages: number;
  readonly workers: number;
  readonly locking: Locking;
  readonly makeHandler: MakeHandler;
  /** @default 'records' */
  readonly outbox?: SagaOutboxForm;
  /** @default the defaults of sagabox */
  readonly recoverability?: CreateHandlerOptions['recoverability'] | undefined;
}

/** Sends all messages, then starts all workers, until every message is done or dead. */
export async function runRound(
  engines: Engines,
  load: Load,
  interrupt: AbortSignal,
): Promise<ContentionRound> {
  const { messages, workers } = load;
  const tableName = `contention-${randomUUID()}`;
  return await withClients(engines, ({ dynamoDBClient, sqsClient }) =>
    withTable(dynamoDBClient, tableName, () =>
      withRedrivingQueue(sqsClient, tableName, redriveAfter(10), async (queue) => {
        // Behind the SDK's own retries: each of them is a call.
        const recorder = new CallRecorder();
        const newHandler = (clients: Clients) => {
          recorder.watch(clients.dynamoDBClient);
          return handlerOf(load, clients, tableName, queue);
        };
        const consumer = { queue, newHandler, pollers: workers, batchSize: 10 };
        const send = () => sendAll(sqsClient, queue.queueUrl, messages);
        const seconds = await workOff(engines, [consumer], { phases: [{ send, messages }] }, interrupt);
        const counts = await appliedCounts({ dynamoDBClient, tableName });
        return {
          messages,
          applied: counts.filter((count) => count === 1).length,
          twice: counts.filter((count) => count > 1).length,
          deadLettered: await messagesWaiting(sqsClient, queue.deadLetterQueueUrl),
          ...countCalls(recorder.calls, messages),
          seconds,
        };
      }),
    ),
  );
}

function handlerOf(
  { messages, makeHandler, locking, outbox, recoverability }: Load,
  clients: Clients,
  tableName: string,
  { queueUrl }: RedrivingQueue,
): SqsBatchHandler {
  return makeHandler(counterSaga(messages, outbox), {
    endpoint: 'counters',
    sagaTable: { tableName },
    outboxTable: { tableName },
    destinations: { counters: queueUrl },
    locking,
    ...(recoverability && { recoverability }),
    ...clients,
    logger: silentLogger,
  });
}

import { randomUUID } from 'node:crypto';
import { type DynamoDBClient, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import type { CreateHandlerOptions, EmbeddedOutbox, Locking, SqsBatchHandler } from 'sagabox';
import { CallRecorder } from '../../lib/capacity/measured/call-recorder.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { redriveAfter } from '../../test/support/event-source.ts';
import { interceptCalls } from '../../test/support/intercepted-calls.ts';
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
  /** @default - outbox records */
  readonly outbox?: EmbeddedOutbox | undefined;
  /** In per cent of the transactions, beside those that workers have with one another. @default 0 */
  readonly conflicts?: number;
  /** @default the defaults of sagabox */
  readonly recoverability?: CreateHandlerOptions['recoverability'] | undefined;
}

/** Sends all messages, then starts all workers, until every message is done or dead. */
export async function runRound(
  engines: Engines,
  load: Load,
  interrupt: AbortSignal,
): Promise<ContentionRound> {
  const { messages, workers, conflicts = 0 } = load;
  const tableName = `contention-${randomUUID()}`;
  return await withClients(engines, ({ dynamoDBClient, sqsClient }) =>
    withTable(dynamoDBClient, tableName, () =>
      withRedrivingQueue(sqsClient, tableName, redriveAfter(10), async (queue) => {
        // Behind the SDK's own retries: each of them is a call.
        const recorder = new CallRecorder();
        const refuse = transactionRefuser(conflicts / 100);
        const newHandler = (clients: Clients) => {
          recorder.watch(clients.dynamoDBClient);
          refuse(clients.dynamoDBClient);
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

/**
 * Refuses a share of the transactions of all clients, evenly, as DynamoDB does where another transaction is at work on
 * their first item. No local engine does.
 */
function transactionRefuser(share: number): (client: DynamoDBClient) => void {
  let due = 0;
  return (client) =>
    interceptCalls(client, 'request', async ({ operation, input, proceed }) => {
      if (operation !== 'TransactWriteItems') return await proceed();
      due += share;
      if (due < 1) return await proceed();
      due -= 1;
      const CancellationReasons = input.TransactItems.map((_: unknown, index: number) => ({
        Code: index === 0 ? 'TransactionConflict' : 'None',
      }));
      throw new TransactionCanceledException({ message: 'refused', $metadata: {}, CancellationReasons });
    });
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

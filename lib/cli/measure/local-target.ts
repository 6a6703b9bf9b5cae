import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, DeleteQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { tableDefaults } from '../../dynamodb/table-defaults.ts';
import { settleAll } from '../../kernel/async/settle.ts';
import { Cleanup } from '../../local/app/cleanup.ts';
import { localIdentity } from '../../local/app/identity.ts';
import type { Clients } from '../clients.ts';

/** Of clients of engines on this machine. */
export const identity = { region: localIdentity.region, credentials: localIdentity.credentials };

export interface LocalClients extends Clients {
  /** For people: `dynoxide 1.2.1`, or that it is an account. */
  readonly engine: string;
}

/** What a run works with. */
export interface MeasureTarget extends LocalClients {
  /** The same as the outbox table where they share one. */
  readonly sagaTableName: string;
  readonly outboxTableName: string;
  /** One for each destination. */
  readonly queueUrls: readonly string[];
}

export interface LocalNeeds {
  /** Sagas and outbox in one table. */
  readonly sharedTable: boolean;
  readonly queues: number;
}

/**
 * Runs the work with clients of engines that are started for it, and stopped after it.
 *
 * @param dynamoDBEndpoint of an engine that runs already, in place of one that is started
 * @param work is to end when its signal is aborted: the engine has ended
 * @throws SagaboxError `Configuration` when an engine is missing, cannot start, or ends before the work does
 */
export async function withLocalEngines<T>(
  dynamoDBEndpoint: string | undefined,
  work: (clients: LocalClients, engineEnd: AbortSignal) => Promise<T>,
): Promise<T> {
  // It brings emulators along, which no other command needs.
  const { startDynamoDB, startSqsEmulator } = await import('../../local/index.ts');
  return await withCleanup(async (cleanup) => {
    const started = async <Engine extends { stop(): unknown }>(start: Promise<Engine>) => {
      const engine = await start;
      cleanup.add(() => engine.stop());
      return engine;
    };
    const [dynamoDB, queues] = await settleAll([
      started(startDynamoDB(dynamoDBEndpoint === undefined ? {} : { endpoint: dynamoDBEndpoint })),
      started(startSqsEmulator()),
    ]);
    const dynamoDBClient = new DynamoDBClient({ ...identity, endpoint: dynamoDB.endpoint });
    const sqsClient = new SQSClient({ ...identity, endpoint: queues.endpoint });
    for (const client of [dynamoDBClient, sqsClient]) cleanup.add(() => client.destroy());
    const engineEnd = new AbortController();
    dynamoDB.failed.catch((error: unknown) => engineEnd.abort(error));
    try {
      return await work({ engine: dynamoDB.name, dynamoDBClient, sqsClient }, engineEnd.signal);
    } catch (error) {
      // Whatever fails without its engine fails for that.
      engineEnd.signal.throwIfAborted();
      throw error;
    }
  });
}

/** Runs the work with tables and queues of its own, which are gone after it. */
export async function withLocalTarget<T>(
  clients: LocalClients,
  needs: LocalNeeds,
  work: (target: MeasureTarget) => Promise<T>,
): Promise<T> {
  const { dynamoDBClient, sqsClient } = clients;
  return await withCleanup(async (cleanup) => {
    const createTable = async () => {
      const TableName = `sagabox-measure-${randomUUID()}`;
      await dynamoDBClient.send(new CreateTableCommand({ TableName, ...tableInput() }));
      cleanup.add(() => dynamoDBClient.send(new DeleteTableCommand({ TableName })));
      return TableName;
    };
    const createQueue = async () => {
      const QueueName = `sagabox-measure-${randomUUID()}`;
      const { QueueUrl = '' } = await sqsClient.send(new CreateQueueCommand({ QueueName }));
      cleanup.add(() => sqsClient.send(new DeleteQueueCommand({ QueueUrl })));
      return QueueUrl;
    };
    const outboxTableName = await createTable();
    const sagaTableName = needs.sharedTable ? outboxTableName : await createTable();
    const queueUrls: string[] = [];
    while (queueUrls.length < needs.queues) queueUrls.push(await createQueue());
    return await work({ ...clients, sagaTableName, outboxTableName, queueUrls });
  });
}

/** What cannot be released does not hide why the work failed. */
async function withCleanup<T>(work: (cleanup: Cleanup) => Promise<T>): Promise<T> {
  const cleanup = new Cleanup();
  try {
    return await work(cleanup);
  } finally {
    await cleanup.run().catch(() => {});
  }
}

function tableInput() {
  const { partitionKeyName: partition, sortKeyName: sort } = tableDefaults;
  const strings = { AttributeType: 'S' } as const;
  return {
    BillingMode: 'PAY_PER_REQUEST' as const,
    AttributeDefinitions: [partition, sort].map((AttributeName) => ({ AttributeName, ...strings })),
    KeySchema: [
      { AttributeName: partition, KeyType: 'HASH' as const },
      { AttributeName: sort, KeyType: 'RANGE' as const },
    ],
  };
}

import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CreateQueueCommand, DeleteQueueCommand, SQSClient } from '@aws-sdk/client-sqs';
import { relayIndex } from '../../core/storage/relay-index.ts';
import { tableDefaults } from '../../core/storage/table-defaults.ts';
import type { Clients } from '../clients.ts';
import type { MeasureTarget } from './target.ts';

export interface LocalNeeds {
  /** Sagas and outbox in one table. */
  readonly sharedTable: boolean;
  readonly relayIndex: boolean;
  readonly queues: number;
}

export interface LocalClients extends Clients {
  /** What DynamoDB is here, for people: `dynoxide 1.2.1`. */
  readonly engine: string;
}

const identity = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };

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
  const dynamoDB = startDynamoDB(dynamoDBEndpoint === undefined ? {} : { endpoint: dynamoDBEndpoint });
  const starts = await Promise.allSettled([dynamoDB, startSqsEmulator()]);
  try {
    const [engine, queues] = starts;
    if (engine.status === 'rejected') throw engine.reason;
    if (queues.status === 'rejected') throw queues.reason;
    const dynamoDBClient = new DynamoDBClient({ ...identity, endpoint: engine.value.endpoint });
    const sqsClient = new SQSClient({ ...identity, endpoint: queues.value.endpoint });
    try {
      const engineEnd = new AbortController();
      engine.value.failed.catch((error: unknown) => engineEnd.abort(error));
      try {
        return await work({ engine: engine.value.name, dynamoDBClient, sqsClient }, engineEnd.signal);
      } catch (error) {
        // Whatever fails without its engine fails for that.
        engineEnd.signal.throwIfAborted();
        throw error;
      }
    } finally {
      dynamoDBClient.destroy();
      sqsClient.destroy();
    }
  } finally {
    await Promise.allSettled(starts.map(async (start) => start.status === 'fulfilled' && start.value.stop()));
  }
}

/** Runs the work with tables and queues of its own, which are gone after it. */
export async function withLocalTarget<T>(
  clients: LocalClients,
  needs: LocalNeeds,
  work: (target: MeasureTarget) => Promise<T>,
): Promise<T> {
  const { dynamoDBClient, sqsClient } = clients;
  const removals: (() => Promise<unknown>)[] = [];
  const createTable = async (isIndexed: boolean) => {
    const TableName = `sagabox-measure-${randomUUID()}`;
    await dynamoDBClient.send(new CreateTableCommand(tableInput(TableName, isIndexed)));
    removals.push(() => dynamoDBClient.send(new DeleteTableCommand({ TableName })));
    return TableName;
  };
  const createQueue = async () => {
    const QueueName = `sagabox-measure-${randomUUID()}`;
    const { QueueUrl = '' } = await sqsClient.send(new CreateQueueCommand({ QueueName }));
    removals.push(() => sqsClient.send(new DeleteQueueCommand({ QueueUrl })));
    return QueueUrl;
  };
  try {
    const outboxTableName = await createTable(needs.relayIndex);
    const sagaTableName = needs.sharedTable ? outboxTableName : await createTable(false);
    const queueUrls: string[] = [];
    while (queueUrls.length < needs.queues) queueUrls.push(await createQueue());
    return await work({ ...clients, sagaTableName, outboxTableName, queueUrls });
  } finally {
    await Promise.allSettled(removals.map((remove) => remove()));
  }
}

function tableInput(TableName: string, isIndexed: boolean) {
  const { partitionKeyName, sortKeyName } = tableDefaults;
  const { indexName, ...indexKeys } = relayIndex;
  const keys = [partitionKeyName, sortKeyName];
  const ofIndex = [indexKeys.partitionKeyName, indexKeys.sortKeyName];
  const index = {
    IndexName: indexName,
    KeySchema: keySchema(ofIndex),
    Projection: { ProjectionType: 'KEYS_ONLY' as const },
  };
  return {
    TableName,
    BillingMode: 'PAY_PER_REQUEST' as const,
    AttributeDefinitions: [...keys, ...(isIndexed ? ofIndex : [])].map((AttributeName) => ({
      AttributeName,
      AttributeType: 'S' as const,
    })),
    KeySchema: keySchema(keys),
    ...(isIndexed && { GlobalSecondaryIndexes: [index] }),
  };
}

function keySchema([partition, sort]: readonly string[]) {
  return [
    { AttributeName: partition, KeyType: 'HASH' as const },
    { AttributeName: sort, KeyType: 'RANGE' as const },
  ];
}

import { CreateTableCommand, DeleteTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  CreateQueueCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { Engines } from '../../bench/engines/engines.ts';
import { recoveryIndex } from '../../lib/core/recovery-index.ts';

/** Where a soak takes place. */
export interface Resources extends Engines {
  /** Of the sagas and the outbox. */
  readonly table: string;
  /** Of what the handlers write by themselves. */
  readonly markTable: string;
  readonly queueUrl: string;
  readonly queueArn: string;
  /** Where the handlers send. */
  readonly ledgerQueueUrl: string;
  readonly errorQueueUrl: string;
  readonly deadLetterQueueUrl: string;
}

/** Shorter than some invocations take, so that SQS delivers messages again while they are being handled. */
const visibilityTimeoutSeconds = 5;
/** Out of reach: a message that comes to the dead-letter queue could not be handled at all. */
const maxReceiveCount = 200;

export async function createQueues(client: SQSClient, engines: Engines, name: string): Promise<Resources> {
  const deadLetterQueueUrl = await createQueue(client, `${name}-dead`);
  const deadLetterTargetArn = await attributeOf(client, deadLetterQueueUrl, 'QueueArn');
  const queueUrl = await createQueue(client, name, {
    VisibilityTimeout: String(visibilityTimeoutSeconds),
    RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount }),
  });
  return {
    ...engines,
    table: name,
    markTable: `${name}-marks`,
    queueUrl,
    queueArn: await attributeOf(client, queueUrl, 'QueueArn'),
    ledgerQueueUrl: await createQueue(client, `${name}-ledger`),
    errorQueueUrl: await createQueue(client, `${name}-errors`),
    deadLetterQueueUrl,
  };
}

export async function deleteQueues(client: SQSClient, resources: Resources): Promise<void> {
  const { queueUrl, ledgerQueueUrl, errorQueueUrl, deadLetterQueueUrl } = resources;
  for (const QueueUrl of [queueUrl, ledgerQueueUrl, errorQueueUrl, deadLetterQueueUrl]) {
    await client.send(new DeleteQueueCommand({ QueueUrl }));
  }
}

/** New, empty tables under the names that the workers know. */
export async function createTables(client: DynamoDBClient, { table, markTable }: Resources): Promise<void> {
  const text = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' as const });
  const keys = (partition: string, sort: string) => [
    { AttributeName: partition, KeyType: 'HASH' as const },
    { AttributeName: sort, KeyType: 'RANGE' as const },
  ];
  const { indexName, partitionKeyName, sortKeyName } = recoveryIndex;
  await client.send(
    new CreateTableCommand({
      TableName: table,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['PK', 'SK', partitionKeyName, sortKeyName].map(text),
      KeySchema: keys('PK', 'SK'),
      GlobalSecondaryIndexes: [
        {
          IndexName: indexName,
          KeySchema: keys(partitionKeyName, sortKeyName),
          Projection: { ProjectionType: 'KEYS_ONLY' },
        },
      ],
    }),
  );
  await client.send(
    new CreateTableCommand({
      TableName: markTable,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: ['PK', 'SK'].map(text),
      KeySchema: keys('PK', 'SK'),
    }),
  );
}

export async function deleteTables(client: DynamoDBClient, { table, markTable }: Resources): Promise<void> {
  for (const TableName of [table, markTable]) await client.send(new DeleteTableCommand({ TableName }));
}

/** Everything in a queue: what waits, what is being handled, and what is delayed. */
export async function depthOf(client: SQSClient, QueueUrl: string): Promise<number> {
  const names = [
    'ApproximateNumberOfMessages',
    'ApproximateNumberOfMessagesNotVisible',
    'ApproximateNumberOfMessagesDelayed',
  ] as const;
  const { Attributes = {} } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...names] }),
  );
  return names.reduce((depth, name) => depth + Number(Attributes[name] ?? 0), 0);
}

async function createQueue(
  client: SQSClient,
  QueueName: string,
  Attributes: Record<string, string> = {},
): Promise<string> {
  const { QueueUrl } = await client.send(new CreateQueueCommand({ QueueName, Attributes }));
  if (QueueUrl === undefined) throw new Error(`Queue ${QueueName} has no URL`);
  return QueueUrl;
}

async function attributeOf(client: SQSClient, QueueUrl: string, name: 'QueueArn'): Promise<string> {
  const { Attributes } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [name] }),
  );
  const value = Attributes?.[name];
  if (value === undefined) throw new Error(`Queue ${QueueUrl} does not tell its ${name}`);
  return value;
}

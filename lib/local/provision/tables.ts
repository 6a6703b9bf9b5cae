import {
  CreateTableCommand,
  type CreateTableCommandInput,
  DeleteTableCommand,
  type DynamoDBClient,
  type LocalSecondaryIndex,
  ResourceInUseException,
  type StreamViewType,
  type TimeToLiveSpecification,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import type { StreamArns } from '../app/resources/kinds.ts';
import type { LocalResource } from '../app/resources/model.ts';

/** The properties that the API takes as the template has them, and those that become calls of their own. */
interface TableProperties
  extends Pick<
    CreateTableCommandInput,
    'AttributeDefinitions' | 'KeySchema' | 'GlobalSecondaryIndexes' | 'LocalSecondaryIndexes'
  > {
  readonly StreamSpecification?: { readonly StreamViewType: StreamViewType };
  readonly TimeToLiveSpecification?: TimeToLiveSpecification;
}

/**
 * Creates the declared tables, and notes each in `created`. Capacity is on demand here whatever is declared:
 * the engine never throttles, so that a provisioned rate would say nothing.
 *
 * @returns the streams of the tables
 * @throws SagaboxError `Configuration` when a table exists already.
 */
export async function provisionTables(
  client: DynamoDBClient,
  resources: readonly LocalResource[],
  created: string[],
): Promise<StreamArns> {
  const streamArns = new Map<string, string>();
  for (const { name, properties } of resources.filter(({ type }) => type.startsWith('AWS::DynamoDB::'))) {
    const table = properties as unknown as TableProperties;
    const streamArn = await createTable(client, {
      TableName: name,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: table.AttributeDefinitions,
      KeySchema: table.KeySchema,
      GlobalSecondaryIndexes: table.GlobalSecondaryIndexes?.map(indexOf),
      LocalSecondaryIndexes: table.LocalSecondaryIndexes?.map(indexOf),
      ...(table.StreamSpecification && {
        StreamSpecification: {
          StreamEnabled: true,
          StreamViewType: table.StreamSpecification.StreamViewType,
        },
      }),
    });
    created.push(name);
    if (streamArn !== undefined) streamArns.set(name, streamArn);
    const { TimeToLiveSpecification } = table;
    if (TimeToLiveSpecification?.Enabled) {
      await client.send(new UpdateTimeToLiveCommand({ TableName: name, TimeToLiveSpecification }));
    }
  }
  return streamArns;
}

export async function deleteTables(client: DynamoDBClient, tableNames: readonly string[]): Promise<void> {
  for (const tableName of tableNames) await client.send(new DeleteTableCommand({ TableName: tableName }));
}

async function createTable(
  client: DynamoDBClient,
  input: CreateTableCommandInput,
): Promise<string | undefined> {
  try {
    const { TableDescription: description } = await client.send(new CreateTableCommand(input));
    return description?.LatestStreamArn;
  } catch (cause) {
    if (!(cause instanceof ResourceInUseException)) throw cause;
    throw new SagaboxError(
      'Configuration',
      {
        setting: String(input.TableName),
        problem: 'the DynamoDB engine has a table of this name already, perhaps of a run that was killed',
        remedy: 'Delete it, or use an engine that has none',
      },
      { cause },
    );
  }
}

/** Leaves out the capacity settings of an index. */
function indexOf({ IndexName, KeySchema, Projection }: LocalSecondaryIndex): LocalSecondaryIndex {
  return { IndexName, KeySchema, Projection };
}

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { queryItems } from '../dynamodb/calls/query-items.ts';
import type { CapacityMeter } from '../dynamodb/capacity-meter.ts';
import { type Item, schemaProblem } from '../dynamodb/item-attributes.ts';
import { itemSize } from '../dynamodb/item-size.ts';
import { contributionSortPrefix, type SagaIdentity, sagaKey } from '../dynamodb/keys.ts';
import type { Table } from '../dynamodb/table-defaults.ts';
import { SagaboxError } from '../kernel/errors/errors.ts';
import type { FoundContribution } from './contribution.ts';
import type { Contributions } from './contributions.ts';

export interface DynamoDBContributionsOptions {
  client: DynamoDBClient;
  table: Table;
}

/** The contributions under one key of one saga. */
export interface ContributionsOfKey {
  readonly saga: SagaIdentity;
  /** The partition key of the saga's items. */
  readonly partition: string;
  readonly createdAt: Date;
  readonly key: string;
}

export class DynamoDBContributions implements Contributions {
  readonly #options: DynamoDBContributionsOptions;

  constructor(options: DynamoDBContributionsOptions) {
    this.#options = options;
  }

  find(
    saga: SagaIdentity,
    createdAt: Date,
    key: string,
    atMost: number,
    meter: CapacityMeter,
  ): AsyncGenerator<FoundContribution> {
    const { partition } = sagaKey(saga);
    return queryContributions(this.#options, { saga, partition, createdAt, key }, atMost, meter);
  }
}

/**
 * @param signal once it is aborted, no further page is read
 * @throws SagaboxError `UnreadableItem`
 */
export async function* queryContributions(
  { client, table }: DynamoDBContributionsOptions,
  { saga, partition, createdAt, key }: ContributionsOfKey,
  atMost: number,
  meter: CapacityMeter,
  signal?: AbortSignal,
): AsyncGenerator<FoundContribution> {
  const query = {
    TableName: table.tableName,
    KeyConditionExpression: '#partitionKey = :partition AND begins_with(#sortKey, :prefix)',
    ExpressionAttributeNames: { '#partitionKey': table.partitionKeyName, '#sortKey': table.sortKeyName },
    ExpressionAttributeValues: {
      ':partition': { S: partition },
      ':prefix': { S: contributionSortPrefix(createdAt, key) },
    },
    // Contributions committed before must be found: those that an old read misses are not asked for again.
    ConsistentRead: true,
    Limit: atMost,
  };
  for await (const item of queryItems(client, query, meter, signal)) yield found(item, saga, key, table);
}

function found(item: Item, saga: SagaIdentity, key: string, table: Table): FoundContribution {
  const { [table.partitionKeyName]: partition, [table.sortKeyName]: sort, value } = item;
  const detail = schemaProblem(item) ?? (value === undefined ? 'it has no value' : undefined);
  if (value !== undefined && detail === undefined)
    return { item: { partition: partition?.S ?? '', sort: sort?.S ?? '' }, value, bytes: itemSize(item) };
  const name = `A contribution under '${key}' to the '${saga.name}' saga with id '${saga.id}'`;
  throw new SagaboxError('UnreadableItem', { item: name, detail: detail ?? '' });
}

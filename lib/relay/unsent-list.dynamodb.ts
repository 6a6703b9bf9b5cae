import { DeleteItemCommand, type DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { queryItems } from '../dynamodb/calls/query-items.ts';
import { callDynamoDB } from '../dynamodb/calls/service-errors.ts';
import type { CapacityMeter } from '../dynamodb/capacity-meter.ts';
import { keyAttributes } from '../dynamodb/item-attributes.ts';
import { unsentPartition } from '../dynamodb/keys.ts';
import type { Table } from '../dynamodb/table-defaults.ts';
import type { FoundItem } from './found-item.dynamodb.ts';
import { readUnsentItem, type UnsentItem, unsentItem } from './unsent-items.ts';

export interface UnsentListOptions {
  client: DynamoDBClient;
  table: Table;
  endpoint: string;
}

/** The list of an endpoint's records that the watcher did not see marked: items of the table, by age. */
export class UnsentList {
  readonly #options: UnsentListOptions;

  constructor(options: UnsentListOptions) {
    this.#options = options;
  }

  /** Yields the records of the list, the oldest first. */
  async *find(storedBefore: Date, meter: CapacityMeter, signal?: AbortSignal): AsyncGenerator<FoundItem> {
    if (signal?.aborted) return;
    const { client, table, endpoint } = this.#options;
    const query = {
      TableName: table.tableName,
      KeyConditionExpression: '#partition = :partition AND #sort < :storedBefore',
      ExpressionAttributeNames: { '#partition': table.partitionKeyName, '#sort': table.sortKeyName },
      ExpressionAttributeValues: {
        ':partition': { S: unsentPartition(endpoint) },
        ':storedBefore': { S: storedBefore.toISOString() },
      },
    };
    for await (const item of queryItems(client, query, meter, signal)) {
      const read = readUnsentItem(table, endpoint, item);
      if (read) yield { ...read, listedAt: item[table.sortKeyName]?.S };
    }
  }

  /** Adds a record; to add one that is in the list already does not change the list. */
  async add(unsent: Omit<UnsentItem, 'endpoint'>, meter: CapacityMeter): Promise<void> {
    const { client, table, endpoint } = this.#options;
    const command = new PutItemCommand({
      TableName: table.tableName,
      Item: unsentItem(table, { ...unsent, endpoint }),
      ReturnConsumedCapacity: 'TOTAL',
    });
    const { ConsumedCapacity } = await callDynamoDB('PutItem', [table.tableName], client.send(command));
    meter.addWrite(ConsumedCapacity?.CapacityUnits);
  }

  /** @param listedAt the record's place in the list */
  async remove(listedAt: string, meter: CapacityMeter): Promise<void> {
    const { client, table, endpoint } = this.#options;
    const command = new DeleteItemCommand({
      TableName: table.tableName,
      Key: keyAttributes(table, { partition: unsentPartition(endpoint), sort: listedAt }),
      ReturnConsumedCapacity: 'TOTAL',
    });
    const { ConsumedCapacity } = await callDynamoDB('DeleteItem', [table.tableName], client.send(command));
    meter.addWrite(ConsumedCapacity?.CapacityUnits);
  }
}

import { DescribeTableCommand, type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { updateItem } from '../dynamodb/calls/conditional-write.ts';
import type { ReadBatcher } from '../dynamodb/calls/read-batcher.ts';
import { callDynamoDB } from '../dynamodb/calls/service-errors.ts';
import type { CapacityMeter } from '../dynamodb/capacity-meter.ts';
import { type Item, keyAttributes } from '../dynamodb/item-attributes.ts';
import { watchKey } from '../dynamodb/keys.ts';
import type { Table } from '../dynamodb/table-defaults.ts';
import { readWatchItem, watchAttributes } from './watch-items.ts';
import type { WatchState } from './watch-state.ts';

export interface WatchStoreOptions {
  client: DynamoDBClient;
  table: Table;
  endpoint: string;
  reads: ReadBatcher;
}

/** Returns the ARN of a table's stream; `undefined` while the stream is off. */
export async function streamOf(client: DynamoDBClient, { tableName }: Table): Promise<string | undefined> {
  const command = new DescribeTableCommand({ TableName: tableName });
  const { Table: table } = await callDynamoDB('DescribeTable', [tableName], client.send(command));
  return table?.StreamSpecification?.StreamEnabled ? table.LatestStreamArn : undefined;
}

/** Keeps the state of the watcher of a table's stream, in that table. */
export class WatchStore {
  readonly #options: WatchStoreOptions;

  constructor(options: WatchStoreOptions) {
    this.#options = options;
  }

  async read(meter: CapacityMeter): Promise<WatchState | undefined> {
    const { table, endpoint, reads } = this.#options;
    const key = keyAttributes(table, watchKey(endpoint));
    const item = await reads.read({ tableName: table.tableName, key, consistentRead: true, meter });
    return item && readWatchItem(item);
  }

  async write(state: WatchState, meter: CapacityMeter): Promise<void> {
    const { client, table, endpoint } = this.#options;
    const attributes = Object.entries(watchAttributes(state));
    const set = attributes.filter(([, value]) => value !== undefined);
    const removed = attributes.filter(([, value]) => value === undefined);
    const expression = [
      `SET ${set.map(([name]) => `#${name} = :${name}`).join(', ')}`,
      ...(removed.length > 0 ? [`REMOVE ${removed.map(([name]) => `#${name}`).join(', ')}`] : []),
    ];
    const command = new UpdateItemCommand({
      TableName: table.tableName,
      Key: keyAttributes(table, watchKey(endpoint)),
      UpdateExpression: expression.join(' '),
      ExpressionAttributeNames: Object.fromEntries(attributes.map(([name]) => [`#${name}`, name])),
      ExpressionAttributeValues: Object.fromEntries(set.map(([name, value]) => [`:${name}`, value])) as Item,
      ReturnConsumedCapacity: 'TOTAL',
    });
    const { ConsumedCapacity } = await callDynamoDB('UpdateItem', [table.tableName], client.send(command));
    meter.addWrite(ConsumedCapacity?.CapacityUnits);
  }

  /** Notes that a whole scan has read what was stored before a time: a scan that was due by then is done. */
  async scanned(storedBefore: Date, meter: CapacityMeter): Promise<void> {
    const known = await this.read(meter);
    if (known?.scanDue === undefined || known.scanDue.since > storedBefore) return;
    const { client, table, endpoint } = this.#options;
    const update = {
      TableName: table.tableName,
      Key: keyAttributes(table, watchKey(endpoint)),
      UpdateExpression: 'REMOVE #scanDue, #scanReason',
      ConditionExpression: '#scanDue <= :storedBefore',
      ExpressionAttributeNames: { '#scanDue': 'scanDue', '#scanReason': 'scanReason' },
      ExpressionAttributeValues: { ':storedBefore': { S: storedBefore.toISOString() } },
    };
    await updateItem(client, update, meter);
  }
}

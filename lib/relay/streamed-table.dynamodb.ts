import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { ReadBatcher } from '../dynamodb/calls/read-batcher.ts';
import type { CapacityMeter } from '../dynamodb/capacity-meter.ts';
import { keyAttributes } from '../dynamodb/item-attributes.ts';
import type { ItemKey } from '../dynamodb/keys.ts';
import type { Table } from '../dynamodb/table-defaults.ts';
import { foundEntries, foundRecord, isSagaItem } from './found-item.dynamodb.ts';
import type { StreamedTable } from './streamed-table.ts';
import type { UnsentItem } from './unsent-items.ts';
import { UnsentList } from './unsent-list.dynamodb.ts';

export interface DynamoDBStreamedTableOptions {
  client: DynamoDBClient;
  table: Table;
  reads: ReadBatcher;
}

/** Later than any time at which an entry was stored: entries are found whatever their age is. */
const END_OF_TIME = new Date(8.64e15);

export class DynamoDBStreamedTable implements StreamedTable {
  readonly #options: DynamoDBStreamedTableOptions;

  constructor(options: DynamoDBStreamedTableOptions) {
    this.#options = options;
  }

  async unsentIn(key: ItemKey, meter: CapacityMeter): Promise<readonly UnsentItem[]> {
    const { table, reads } = this.#options;
    const { tableName } = table;
    const item = await reads.read({ tableName, key: keyAttributes(table, key), consistentRead: true, meter });
    if (item === undefined) return [];
    if (isSagaItem(item, table)) return foundEntries(item, table, END_OF_TIME);
    return item.dispatched?.BOOL === false ? foundRecord(item, table) : [];
  }

  async list(unsent: UnsentItem, meter: CapacityMeter): Promise<void> {
    const { client, table } = this.#options;
    await new UnsentList({ client, table, endpoint: unsent.endpoint }).add(unsent, meter);
  }
}

import { randomBytes } from 'node:crypto';
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { ReadBatcher } from '../../dynamodb/calls/read-batcher.ts';
import type { CapacityMeter } from '../../dynamodb/capacity-meter.ts';
import type { Table } from '../../dynamodb/table-defaults.ts';
import type { OutboxRecord, RecordReference } from '../record.ts';
import type { SentBitmap } from '../sent-bitmap.ts';
import type { EmbeddedSagas } from './embedded-sagas.ts';
import { isEntry, sagaItemKey } from './entry-reference.dynamodb.ts';
import { writeEntrySent } from './entry-update.dynamodb.ts';
import type { MarkBatcher } from './mark-batcher.dynamodb.ts';
import { recordInItem } from './pending-entry.dynamodb.ts';
import { SALT_BYTES } from './salted-hash.ts';

export interface DynamoDBEmbeddedSagasOptions {
  client: DynamoDBClient;
  table: Table;
  reads: ReadBatcher;
  marks: MarkBatcher;
  deduplicationPeriodSeconds: number;
}

export class DynamoDBEmbeddedSagas implements EmbeddedSagas {
  readonly #options: DynamoDBEmbeddedSagasOptions;

  constructor(options: DynamoDBEmbeddedSagasOptions) {
    this.#options = options;
  }

  newSalt(): Uint8Array {
    return randomBytes(SALT_BYTES);
  }

  async find(record: RecordReference, meter: CapacityMeter): Promise<OutboxRecord | undefined> {
    if (!isEntry(record)) return undefined;
    const { reads, table } = this.#options;
    const key = sagaItemKey(table, record);
    const item = await reads.read({ tableName: table.tableName, key, consistentRead: true, meter });
    return item && recordInItem(item, record);
  }

  async markDispatched({ sagaItem }: OutboxRecord, _at: Date, meter: CapacityMeter): Promise<void> {
    if (sagaItem === undefined) return;
    const { table, deduplicationPeriodSeconds, marks } = this.#options;
    await marks.mark({ table, deduplicationPeriodSeconds, sagaItem, meter });
  }

  async saveProgress(record: OutboxRecord, sent: SentBitmap, meter: CapacityMeter): Promise<SentBitmap> {
    return isEntry(record) ? await writeEntrySent(this.#options, record, sent, meter) : sent;
  }
}

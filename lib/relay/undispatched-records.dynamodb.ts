import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { ReadBatcher } from '../dynamodb/calls/read-batcher.ts';
import type { CapacityMeter } from '../dynamodb/capacity-meter.ts';
import { keyAttributes } from '../dynamodb/item-attributes.ts';
import { RECORD_SORT_KEY } from '../dynamodb/keys.ts';
import type { Table } from '../dynamodb/table-defaults.ts';
import type { Lease } from '../kernel/lease.ts';
import { isEntry } from '../outbox/embedded/entry-reference.dynamodb.ts';
import type { OutboxRecord, RecordReference } from '../outbox/record.ts';
import type { OutboxTarget } from '../outbox/record-item.dynamodb.ts';
import type { SentBitmap } from '../outbox/sent-bitmap.ts';
import { EntryLeases } from './entry-leases.dynamodb.ts';
import type { FoundItem } from './found-item.dynamodb.ts';
import { RecordLeases } from './record-leases.dynamodb.ts';
import type { ClaimOutcome, ClaimTerms, FoundRecord, UndispatchedRecords } from './undispatched-records.ts';
import { UnsentList } from './unsent-list.dynamodb.ts';

/** A strategy to find undispatched records. The signal ends the search early, without an error. */
export type UndispatchedSearch = (
  storedBefore: Date,
  meter: CapacityMeter,
  signal?: AbortSignal,
) => AsyncIterable<FoundItem>;

export interface DynamoDBUndispatchedRecordsOptions {
  client: DynamoDBClient;
  outbox: Pick<OutboxTarget, 'table' | 'endpoint'>;
  /** The table of sagas with an embedded outbox. @default - the outbox table */
  sagaTable?: Table | undefined;
  /** Finds the records of the endpoint. */
  search: UndispatchedSearch;
  reads: ReadBatcher;
}

/** Finds records by a strategy, and leases each in the item that holds it. */
export class DynamoDBUndispatchedRecords implements UndispatchedRecords {
  readonly #options: DynamoDBUndispatchedRecordsOptions;
  readonly #records: RecordLeases;
  readonly #entries: EntryLeases;

  constructor(options: DynamoDBUndispatchedRecordsOptions) {
    const { client, outbox, sagaTable = outbox.table } = options;
    this.#options = options;
    this.#records = new RecordLeases(options);
    this.#entries = new EntryLeases({ client, table: sagaTable });
  }

  async *find(storedBefore: Date, meter: CapacityMeter, signal?: AbortSignal): AsyncGenerator<FoundRecord> {
    for await (const item of this.#options.search(storedBefore, meter, signal)) {
      const { partition, storedAt, entryKey: key, listedAt } = item;
      const messageId = item.messageId ?? (await this.#storedMessageId(item, meter));
      if (messageId === undefined) continue;
      yield {
        messageId,
        storedAt,
        ...(key !== undefined && { sagaItem: { partition, key } }),
        ...(listedAt !== undefined && { listedAt }),
      };
    }
  }

  claim(
    record: RecordReference,
    lease: Lease,
    now: Date,
    meter: CapacityMeter,
    terms?: ClaimTerms,
  ): Promise<ClaimOutcome> {
    return isEntry(record)
      ? this.#entries.claim(record, lease, now, meter, terms)
      : this.#records.claim(record, lease, now, meter, terms);
  }

  postpone(
    record: RecordReference & Pick<OutboxRecord, 'sent'>,
    lease: Lease,
    meter: CapacityMeter,
    sent?: SentBitmap,
  ): Promise<void> {
    return isEntry(record)
      ? this.#entries.postpone(record, lease, meter, sent)
      : this.#records.postpone(record, lease, meter, sent);
  }

  release(record: RecordReference, lease: Lease, meter: CapacityMeter): Promise<void> {
    return isEntry(record)
      ? this.#entries.release(record, lease, meter)
      : this.#records.release(record, lease, meter);
  }

  async unlist({ listedAt, sagaItem }: FoundRecord, meter: CapacityMeter): Promise<void> {
    if (listedAt !== undefined) await this.#list(sagaItem !== undefined).remove(listedAt, meter);
  }

  #list(ofEntries: boolean): UnsentList {
    const { client, outbox, sagaTable = outbox.table } = this.#options;
    return new UnsentList({ client, table: ofEntries ? sagaTable : outbox.table, endpoint: outbox.endpoint });
  }

  /**
   * Reads the message id of a record with a hashed key; `undefined` for a record that was dispatched, or
   * expired, since it was found. Such a record leaves the list.
   */
  async #storedMessageId(
    { partition, listedAt }: FoundItem,
    meter: CapacityMeter,
  ): Promise<string | undefined> {
    const { outbox, reads } = this.#options;
    const { table } = outbox;
    const key = keyAttributes(table, { partition, sort: RECORD_SORT_KEY });
    const read = await reads.read({ tableName: table.tableName, key, consistentRead: true, meter });
    const isUndispatched = read?.dispatched?.BOOL === false;
    if (listedAt !== undefined && !isUndispatched) await this.#list(false).remove(listedAt, meter);
    return isUndispatched ? read?.messageId?.S : undefined;
  }
}

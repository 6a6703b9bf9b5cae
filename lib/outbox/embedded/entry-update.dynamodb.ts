import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type ConditionalOutcome, updateItem } from '../../dynamodb/calls/conditional-write.ts';
import type { CapacityMeter } from '../../dynamodb/capacity-meter.ts';
import { type Item, leaseAttribute } from '../../dynamodb/item-attributes.ts';
import type { Table } from '../../dynamodb/table-defaults.ts';
import type { Lease } from '../../kernel/lease.ts';
import type { OutboxRecord } from '../record.ts';
import { isSameBitmap, type SentBitmap, unitedBitmap } from '../sent-bitmap.ts';
import { type EntryReference, sagaItemKey } from './entry-reference.dynamodb.ts';
import { UpdateBuilder } from './update-builder.dynamodb.ts';

export interface EntryTarget {
  readonly client: DynamoDBClient;
  readonly table: Table;
}

/** An update of an entry. It fails without the entry: otherwise it would make an item of an ended saga. */
export class EntryUpdate extends UpdateBuilder {
  readonly #record: EntryReference;

  constructor(record: EntryReference) {
    super();
    this.#record = record;
    this.require(this.pathTo(), true);
  }

  /** Returns the path from the attribute to a part of the entry. */
  pathTo(...parts: string[]): string[] {
    return ['pending', this.#record.sagaItem.key, ...parts];
  }

  /** @returns the outcome, with the entry that refused the update; `undefined` if there is no entry */
  async run(
    { client, table }: EntryTarget,
    meter: CapacityMeter,
  ): Promise<ConditionalOutcome & { readonly entry?: Item | undefined }> {
    const target = { TableName: table.tableName, Key: sagaItemKey(table, this.#record) };
    const outcome = await updateItem(client, { ...target, ...this.expressions }, meter);
    const item: Item | undefined = outcome.refusal?.Item;
    return { ...outcome, entry: item?.pending?.M?.[this.#record.sagaItem.key]?.M };
  }
}

/**
 * Adds to the operations of an entry that are kept as sent. Each writer adds the bits that it knows, under
 * the condition that the stored bitmap is the one that it read. Bits are only added, so that the loop ends.
 *
 * @param lease a lease to give to the entry in the same write, while its owner still holds the entry
 * @returns the bitmap that the entry then holds
 */
export async function writeEntrySent(
  target: EntryTarget,
  record: EntryReference & Pick<OutboxRecord, 'sent'>,
  sent: SentBitmap,
  meter: CapacityMeter,
  lease?: Lease,
): Promise<SentBitmap> {
  let given = lease;
  let known = record.sent;
  let wanted = unitedBitmap(sent, known);
  for (;;) {
    const update = new EntryUpdate(record);
    update.set(update.pathTo('sent'), { B: wanted });
    if (known) update.requireValue(update.pathTo('sent'), { B: known });
    else update.require(update.pathTo('sent'), false);
    if (given) {
      update.set(update.pathTo('lease'), leaseAttribute(given));
      update.requireValue(update.pathTo('lease', 'owner'), { S: given.owner });
    }
    const { refusal, entry } = await update.run(target, meter);
    if (refusal === undefined || entry === undefined) return wanted;
    known = entry.sent?.B;
    wanted = unitedBitmap(wanted, known);
    // Another owner has leased the record by now: the record keeps that lease.
    if (entry.lease?.M?.owner?.S !== given?.owner) given = undefined;
    if (given === undefined && isSameBitmap(wanted, known)) return wanted;
  }
}

import type { CapacityMeter } from '../dynamodb/capacity-meter.ts';
import { leaseAttribute } from '../dynamodb/item-attributes.ts';
import type { Lease } from '../kernel/lease.ts';
import type { EntryReference } from '../outbox/embedded/entry-reference.dynamodb.ts';
import { type EntryTarget, EntryUpdate, writeEntrySent } from '../outbox/embedded/entry-update.dynamodb.ts';
import type { OutboxRecord } from '../outbox/record.ts';
import type { SentBitmap } from '../outbox/sent-bitmap.ts';
import type { ClaimOutcome, ClaimTerms } from './undispatched-records.ts';

/**
 * The leases of records that are entries in items of sagas, stored in these entries. A lease leaves the
 * version of the saga as it is, so that it conflicts with no commit.
 */
export class EntryLeases {
  readonly #target: EntryTarget;

  constructor(target: EntryTarget) {
    this.#target = target;
  }

  async claim(
    record: EntryReference,
    lease: Lease,
    now: Date,
    meter: CapacityMeter,
    { includePostponed = false }: ClaimTerms = {},
  ): Promise<ClaimOutcome> {
    const update = new EntryUpdate(record);
    update.set(update.pathTo('lease'), leaseAttribute(lease));
    update.add((of) => {
      const path = (...parts: string[]) => of.path(update.pathTo('lease', ...parts));
      const isOver = `${path('until')} < ${of.value({ N: String(now.getTime()) })}`;
      const isFree = `attribute_not_exists(${path()}) OR ${isOver}`;
      if (!includePostponed) return { condition: isFree };
      return { condition: `${isFree} OR ${path('postponed')} = ${of.value({ BOOL: true })}` };
    });
    const { refusal, entry } = await update.run(this.#target, meter);
    if (refusal === undefined) return 'claimed';
    if (entry === undefined) return 'settled';
    const held = entry.lease?.M;
    // The SDK sent the call twice, after the answer to the first one got lost: the lease is ours.
    if (held?.owner?.S === lease.owner) return 'claimed';
    return held?.postponed?.BOOL === true ? 'postponed' : 'held';
  }

  async postpone(
    record: EntryReference & Pick<OutboxRecord, 'sent'>,
    lease: Lease,
    meter: CapacityMeter,
    sent?: SentBitmap,
  ): Promise<void> {
    if (sent) return void (await writeEntrySent(this.#target, record, sent, meter, lease));
    const update = this.#whileOurs(record, lease);
    update.set(update.pathTo('lease'), leaseAttribute(lease));
    await update.run(this.#target, meter);
  }

  async release(record: EntryReference, lease: Lease, meter: CapacityMeter): Promise<void> {
    const update = this.#whileOurs(record, lease);
    update.remove(update.pathTo('lease'));
    await update.run(this.#target, meter);
  }

  #whileOurs(record: EntryReference, { owner }: Lease): EntryUpdate {
    const update = new EntryUpdate(record);
    update.requireValue(update.pathTo('lease', 'owner'), { S: owner });
    return update;
  }
}

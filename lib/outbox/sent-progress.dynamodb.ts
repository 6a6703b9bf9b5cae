import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { updateItem } from '../dynamodb/calls/conditional-write.ts';
import type { CapacityMeter } from '../dynamodb/capacity-meter.ts';
import { leaseAttribute } from '../dynamodb/item-attributes.ts';
import type { Lease } from '../kernel/lease.ts';
import type { OutboxRecord } from './record.ts';
import { type OutboxTarget, recordTarget } from './record-item.dynamodb.ts';
import { isSameBitmap, type SentBitmap, unitedBitmap } from './sent-bitmap.ts';

/** The outcome of a write: nothing is written to a record that is dispatched, or gone. */
export type SentOutcome =
  | { readonly outcome: 'kept'; readonly sent: SentBitmap }
  | { readonly outcome: 'dispatched' | 'gone' };

export const isUndispatched = '#dispatched = :false';
const isAsKnown = '#sent = :known';
const isUnknown = 'attribute_not_exists(#sent)';
export const isOurs = '#lease.#owner = :owner';

/**
 * Adds to the operations of a record that are kept as sent. A delivery and a relay may dispatch one record at
 * the same time: each writes under the condition that the stored bitmap is the one that it knows, and if it
 * is not, writes the union of both. Bits are only added, so that the loop ends.
 *
 * A write is charged for the whole record, up to 400 units when its operations are in it.
 *
 * @param lease a lease to give to the record in the same write, while its owner still holds the record
 */
export async function writeSent(
  { client, outbox }: { client: DynamoDBClient; outbox: Pick<OutboxTarget, 'table' | 'endpoint'> },
  record: Pick<OutboxRecord, 'messageId' | 'sent'>,
  sent: SentBitmap,
  meter: CapacityMeter,
  lease?: Lease,
): Promise<SentOutcome> {
  let given = lease;
  let wanted = unitedBitmap(sent, record.sent);
  let known: AttributeValue | undefined = record.sent && { B: record.sent };
  for (;;) {
    const update = {
      ...recordTarget(outbox, record.messageId),
      UpdateExpression: `SET #sent = :sent${given ? ', #lease = :lease' : ''}`,
      ConditionExpression: `${isUndispatched} AND ${known ? isAsKnown : isUnknown}${given ? ` AND ${isOurs}` : ''}`,
      ExpressionAttributeNames: {
        '#dispatched': 'dispatched',
        '#sent': 'sent',
        ...(given && { '#lease': 'lease', '#owner': 'owner' }),
      },
      ExpressionAttributeValues: {
        ':false': { BOOL: false },
        ':sent': { B: wanted },
        ...(known && { ':known': known }),
        ...(given && { ':lease': leaseAttribute(given), ':owner': { S: given.owner } }),
      },
    };
    const { refusal } = await updateItem(client, update, meter);
    if (refusal === undefined) return { outcome: 'kept', sent: wanted };
    const item = refusal.Item;
    if (item?.dispatched?.BOOL === true) return { outcome: 'dispatched' };
    // A record whose attribute is damaged counts as undispatched where it is read: it must not be taken for
    // dispatched here.
    if (item?.dispatched?.BOOL !== false) return { outcome: 'gone' };
    known = item.sent;
    wanted = unitedBitmap(wanted, known?.B);
    // Another owner has leased the record by now: the record keeps that lease.
    if (item.lease?.M?.owner?.S !== given?.owner) given = undefined;
    // The SDK sent the write twice, after the answer to the first one got lost, or the stored bitmap has all
    // bits that are known here.
    if (given === undefined && isSameBitmap(wanted, known?.B)) return { outcome: 'kept', sent: wanted };
  }
}

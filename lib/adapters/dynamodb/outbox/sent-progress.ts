import type { AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { OutboxRecord } from '../../../core/outbox/record.ts';
import { isSameBitmap, type SentBitmap, unitedBitmap } from '../../../core/outbox/sent-bitmap.ts';
import type { Lease } from '../../../core/saga/lease.ts';
import type { CapacityMeter } from '../../../core/storage/capacity-meter.ts';
import { leaseAttribute } from '../../../core/storage/item-attributes.ts';
import { updateItem } from '../calls/conditional-write.ts';
import { type Outbox, recordTarget } from './outbox-item.ts';

/** Nothing is written to a record that is dispatched, or gone. */
export type SentOutcome =
  | { readonly outcome: 'kept'; readonly sent: SentBitmap }
  | { readonly outcome: 'dispatched' | 'gone' };

export const isUndispatched = '#dispatched = :false';
const isAsKnown = '#sent = :known';
const isUnknown = 'attribute_not_exists(#sent)';
export const isOurs = '#lease.#owner = :owner';

/**
 * Adds to the operations of a record that are kept as sent. A delivery and a relay may be at work on one
 * record: each writes under the bitmap that it knows, and when that is another one by now, it writes again
 * what both know. The bits only grow, so that this ends.
 *
 * It is charged for the whole record, up to 400 units when its operations are in it.
 *
 * @param lease given to the record in the same write, while its owner still holds it
 */
export async function writeSent(
  { client, outbox }: { client: DynamoDBClient; outbox: Pick<Outbox, 'table' | 'endpoint'> },
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
    // One whose attribute is damaged counts as undispatched where it is read: it is not to be taken for done
    // here.
    if (item?.dispatched?.BOOL !== false) return { outcome: 'gone' };
    known = item.sent;
    wanted = unitedBitmap(wanted, known?.B);
    // Somebody else has the record by now: it keeps that lease.
    if (item.lease?.M?.owner?.S !== given?.owner) given = undefined;
    // The SDK sent it twice, after the answer to the first one got lost; or the others know all that is known
    // here.
    if (given === undefined && isSameBitmap(wanted, known?.B)) return { outcome: 'kept', sent: wanted };
  }
}

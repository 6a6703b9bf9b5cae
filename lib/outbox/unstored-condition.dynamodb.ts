import type { Item } from '../dynamodb/item-attributes.ts';
import type { Condition } from '../saga/saga-conditions.dynamodb.ts';
import type { OutboxWrite } from './record.ts';

/*
 * One request with a key, from left to right. A has the lease; B, which is exclusive too, waits for the record.
 * C takes no lease: it runs beside A, and whichever commits first has the record. The commit of the other one
 * is refused, whether it holds a lease or not, as both ask for the same: that no record is there.
 *
 *   A  acquire ├──────── handler ────────┤ commit (unstored, owner) ✗
 *   B     acquire ✗ ········· wait ······························ acquire ✗: the record
 *   C        find ├── handler ──┤ commit (unstored) ✓
 *
 * Once A's lease is over, B takes it, and what A still sends is refused by the owner.
 */

/** Every record has the attribute `dispatched`; the item of a lease without a record has not. */
export const isUnstored = 'attribute_not_exists(#dispatched)';
export const isLeaseOurs = '#lease.#owner = :owner';
export const unstoredNames = { '#dispatched': 'dispatched' };
export const leaseNames = { '#lease': 'lease' };
export const ownerName = { '#owner': 'owner' };

/** Whether the item is but a lease on a request that is not stored yet. */
export function isLeaseOnly({ dispatched, chunkCount, storedAt, lease }: Item): boolean {
  return (
    lease !== undefined && dispatched === undefined && chunkCount === undefined && storedAt === undefined
  );
}

/** Returns the condition of a record's put: no item is there, or, for a session, a lease on its request. */
export function recordCondition({ session }: OutboxWrite, partitionKeyName: string): Condition {
  if (session === undefined) {
    return {
      ConditionExpression: 'attribute_not_exists(#partitionKey)',
      ExpressionAttributeNames: { '#partitionKey': partitionKeyName },
    };
  }
  const { leaseOwner } = session;
  if (leaseOwner === undefined)
    return { ConditionExpression: isUnstored, ExpressionAttributeNames: unstoredNames };
  return {
    ConditionExpression: `${isUnstored} AND ${isLeaseOurs}`,
    ExpressionAttributeNames: { ...unstoredNames, ...leaseNames, ...ownerName },
    ExpressionAttributeValues: { ':owner': { S: leaseOwner } },
  };
}

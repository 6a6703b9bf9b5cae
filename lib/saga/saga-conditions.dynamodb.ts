import type { Item } from '../dynamodb/item-attributes.ts';
import type { Lease } from '../kernel/lease.ts';
import { commitIdAttribute } from './item/commit-ids.ts';
import type { ExpectedSaga } from './saga-locks.ts';
import type { SagaCheck, SagaWrite } from './saga-state.ts';

/*
 * One saga in pessimistic mode, from left to right. B finds the lease held and waits; A commits, which gives
 * the lease back with the same write. C dies; once its lease is over, D takes the saga, and whatever C still
 * sends is refused: by the owner, and, should D have committed, by the version too.
 *
 *   A  acquire ├──── handler ────┤ commit(version, owner)
 *   B     acquire ✗ ······· wait ······· acquire ├── handler ──┤ commit
 *   C                                                 acquire ├─ handler †        late commit ✗ (owner)
 *   D                                                       acquire ✗ ··· until ···► acquire ├── …
 *
 * Clocks may differ: a lease that is taken too early costs its holder the commit, never the saga.
 */
const leaseFree = 'attribute_not_exists(#lease)';
const leaseExpired = '#lease.#until < :now';
const leaseOurs = '#lease.#owner = :owner';
const sagaExists = 'attribute_exists(#version)';
const sagaMissing = 'attribute_not_exists(#version)';
const asRead = '#version = :version AND #commitId = :commitId';

/** A condition with the names and values that it uses. */
export interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames: Record<string, string>;
  readonly ExpressionAttributeValues?: Item;
}

const versionName = { '#version': 'version' };
const revisionNames = { ...versionName, '#commitId': 'commitId' };
const ownerNames = { '#lease': 'lease', '#owner': 'owner' };

/** Returns the condition of a commit: the saga is as it was read and, with a lease, that is still ours. */
export function commitCondition(write: SagaWrite | SagaCheck): Condition {
  const { read, leaseOwner: owner } = write;
  const underLease = owner !== undefined;
  const revision = read ? asRead : sagaMissing;
  const values: Item = {
    ...(read && { ':version': { N: String(read.version) }, ':commitId': commitIdAttribute(read) }),
    ...(underLease && { ':owner': { S: owner } }),
  };
  return {
    ConditionExpression: underLease ? `${revision} AND ${leaseOurs}` : revision,
    ExpressionAttributeNames: { ...(read ? revisionNames : versionName), ...(underLease && ownerNames) },
    // DynamoDB refuses an empty map.
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

/** Returns the condition of a lease: no lease is in force, and the saga is there, or not, as expected. */
export function acquireCondition(expected: ExpectedSaga, now: Date): Condition {
  return {
    ConditionExpression: `${expected === 'new' ? sagaMissing : sagaExists} AND (${leaseFree} OR ${leaseExpired})`,
    ExpressionAttributeNames: { ...versionName, '#lease': 'lease', '#until': 'until' },
    ExpressionAttributeValues: { ':now': { N: String(now.getTime()) } },
  };
}

export function holdCondition(lease: Lease): Condition {
  return {
    ConditionExpression: leaseOurs,
    ExpressionAttributeNames: ownerNames,
    ExpressionAttributeValues: { ':owner': { S: lease.owner } },
  };
}

/** Returns the condition of a release, which deletes the item of a lock on a missing saga, never a saga. */
export function releaseCondition(lease: Lease, expected: ExpectedSaga): Condition {
  const held = holdCondition(lease);
  if (expected === 'existing') return held;
  return {
    ...held,
    ConditionExpression: `${sagaMissing} AND ${leaseOurs}`,
    ExpressionAttributeNames: { ...versionName, ...ownerNames },
  };
}

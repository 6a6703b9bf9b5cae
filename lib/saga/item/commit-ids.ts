import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../dynamodb/item-attributes.ts';
import { uuidBytes } from '../../kernel/uuid-bytes.ts';
import type { SagaRevision } from './saga-revision.ts';

/** Enough to tell apart those who write one version of one item. */
const COMMIT_ID_BYTES = 8;

/** The id of a commit as an item with an embedded outbox has it. */
export function commitIdBytes(uuid: string): Uint8Array {
  return uuidBytes(uuid).subarray(-COMMIT_ID_BYTES);
}

/** The commit id as an attribute: bytes with an embedded outbox, else a string. */
export function commitIdAttribute({
  commitId,
  isBinary,
}: Pick<SagaRevision, 'commitId' | 'isBinary'>): AttributeValue {
  return isBinary ? { B: Buffer.from(commitId, 'hex') } : { S: commitId };
}

/** The id of the commit that wrote an item last: of an embedded outbox in hexadecimal; undefined in a damaged one. */
export function commitIdOf({ commitId }: Item): string | undefined {
  return commitId?.S ?? (commitId?.B && Buffer.from(commitId.B).toString('hex'));
}

/** Whether a commit wrote an item last. @param uuid its id */
export function isOfCommit(item: Item, uuid: string): boolean {
  const { S, B } = item.commitId ?? {};
  return S === uuid || (B !== undefined && Buffer.from(B).equals(commitIdBytes(uuid)));
}

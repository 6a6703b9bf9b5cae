import { createHash } from 'node:crypto';
import type { SagaIdentity } from '../storage/keys.ts';
import { isGroupId } from '../wire-format/group-id.ts';

/** One FIFO group for each saga; its hash where its name and id are no group id. */
export function sagaGroupId({ name, id }: SagaIdentity): string {
  const readable = `${name}#${id}`;
  return isGroupId(readable) ? readable : createHash('sha256').update(readable).digest('hex');
}

import { utf8Bytes } from '../../storage/item-size.ts';
import { Unreadable } from './reading.ts';

const MAX_ID_BYTES = 2048;

/** Ill-formed ones would share the key of another: DynamoDB keeps UTF-8. */
export function isDeduplicationId(id: string): boolean {
  return id !== '' && utf8Bytes(id) <= MAX_ID_BYTES && id.isWellFormed();
}

/**
 * Refused rather than replaced by the id that SQS gave: with that, a copy would be taken for another message.
 */
export function assertDeduplicationId(id: string): void {
  if (isDeduplicationId(id)) return;
  throw new Unreadable(`its id is empty, over ${MAX_ID_BYTES} bytes, or not well-formed Unicode`);
}

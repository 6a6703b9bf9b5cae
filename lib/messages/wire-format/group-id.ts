import { createHash } from 'node:crypto';
import type { SagaIdentity } from '../../dynamodb/keys.ts';

/** Letters, digits and punctuation, up to 128. Source: "SendMessage" in the Amazon SQS API Reference. */
export function isGroupId(value: unknown): value is string {
  return typeof value === 'string' && /^[!-~]{1,128}$/.test(value);
}

/** One FIFO group for each saga; its hash where its name and id are no group id. */
export function sagaGroupId({ name, id }: SagaIdentity): string {
  const readable = `${name}#${id}`;
  return isGroupId(readable) ? readable : createHash('sha256').update(readable).digest('hex');
}

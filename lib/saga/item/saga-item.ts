import type { SagaIdentity } from '../../dynamodb/keys.ts';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import type { SagaOutboxForm } from '../definition/outbox-form.ts';
import type { SagaRevision } from './saga-revision.ts';

/** The schema of an item: the place of the outbox of sagas that may write it. */
export type SagaSchema = 'records' | 'embedded';

/**
 * The item of a saga, as it was read, beside its state. A saga that has ended may leave a tombstone: an item
 * without a state, which knows the handled messages until it expires.
 */
export interface SagaItem {
  readonly schema: SagaSchema;
  readonly revision: SagaRevision;
  readonly isTombstone: boolean;
  /** The entries of messages that are not marked yet. */
  readonly pending: { readonly size: number };
  readonly updatedAt: Date;
  /** The time of the last write before the item and the records both knew the handled messages. */
  readonly changeover?: Date | undefined;
  /** The expiry of a tombstone whose messages are all marked. */
  readonly expiresAt?: Date | undefined;
}

/** Whether an item counts as absent: DynamoDB deletes a tombstone later than it expires. */
export function isExpired(
  { isTombstone, expiresAt }: Pick<SagaItem, 'isTombstone' | 'expiresAt'>,
  now: Date,
): boolean {
  return isTombstone && expiresAt !== undefined && expiresAt <= now;
}

/**
 * Refuses the item of another form: this form may not know the messages that changed the saga. They do not
 * come again once the deduplication period is over.
 *
 * @throws SagaboxError `OtherSagaForm`
 */
export function assertTakes(
  form: SagaOutboxForm,
  { name: sagaName, id: sagaId }: SagaIdentity,
  item: SagaItem | undefined,
  now: Date,
  deduplicationPeriodSeconds: number,
): void {
  if (item === undefined || form === 'both' || form === item.schema || isExpired(item, now)) return;
  const facts = { sagaName, sagaId, stored: item.schema, expected: form };
  if (item.pending.size > 0) throw new SagaboxError('OtherSagaForm', { ...facts, takenFrom: undefined });
  const since = item.changeover ?? item.updatedAt;
  const takenFrom = new Date(since.getTime() + deduplicationPeriodSeconds * 1000);
  if (takenFrom > now)
    throw new SagaboxError('OtherSagaForm', { ...facts, takenFrom: takenFrom.toISOString() });
}

import { SagaboxError } from '../failures/errors.ts';
import type { SagaIdentity } from '../storage/keys.ts';
import type { SagaOutboxForm } from './outbox-form.ts';
import type { SagaRevision } from './saga-revision.ts';

/** Of an item: where the outbox is of those who may write it. */
export type SagaSchema = 'records' | 'embedded';

/**
 * The item of a saga, as it was read, beside its state. Of a saga that has ended it may be a tombstone: it has no
 * state, and knows the messages that were handled until it expires.
 */
export interface SagaItem {
  readonly schema: SagaSchema;
  readonly revision: SagaRevision;
  readonly isTombstone: boolean;
  /** What messages left to be sent. */
  readonly pending: { readonly size: number };
  readonly updatedAt: Date;
  /** When the last write was made that tells the item alone, or the records alone, of its messages. */
  readonly changeover?: Date | undefined;
  /** Of a tombstone from which all is sent. */
  readonly expiresAt?: Date | undefined;
}

/** Whether it is as if it were not there: DynamoDB deletes it later than it expires. */
export function isExpired(
  { isTombstone, expiresAt }: Pick<SagaItem, 'isTombstone' | 'expiresAt'>,
  now: Date,
): boolean {
  return isTombstone && expiresAt !== undefined && expiresAt <= now;
}

/**
 * Refuses the item of a saga that messages have changed of which this form may not know. They are forgotten, and do
 * not come again, once the deduplication period is over.
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

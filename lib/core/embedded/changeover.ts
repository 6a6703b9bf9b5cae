import { SagaboxError } from '../failures/errors.ts';
import type { SagaOutboxForm } from '../saga/outbox-form.ts';
import type { SagaIdentity } from '../storage/keys.ts';
import { isExpired, type SagaItem, type SagaSchema } from './saga-item.ts';

/** Before all that is stored. */
const NEVER = new Date(0);

/** Whether the item of a saga keeps the messages that were handled: `both` keeps records of them, too. */
export function keepsInbox(form: SagaOutboxForm = 'records'): boolean {
  return form !== 'records';
}

/** The schema of the item that a commit leaves: the way between the two leaves it to whoever comes next. */
export function schemaLeft(form: SagaOutboxForm, read: SagaItem | undefined): SagaSchema {
  return form === 'both' ? (read?.schema ?? 'records') : form;
}

/**
 * Of the item that a commit leaves: since then, each message is told by its record as well as by the item. Undefined
 * after a commit that leaves only one of them.
 */
export function changeoverLeft(form: SagaOutboxForm, read: SagaItem | undefined): Date | undefined {
  return form === 'both' ? (read?.changeover ?? read?.updatedAt ?? NEVER) : undefined;
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

import type { SagaOutboxForm } from '../saga/outbox-form.ts';
import type { SagaItem, SagaSchema } from '../saga/saga-item.ts';

/** Before all that is stored. */
const NEVER = new Date(0);

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

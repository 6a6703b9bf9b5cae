import type { SagaOutboxForm } from '../../saga/definition/outbox-form.ts';
import type { SagaItem, SagaSchema } from '../../saga/item/saga-item.ts';

/** A time before any write. */
const NEVER = new Date(0);

/** Returns the schema of the item that a commit leaves. The form `both` leaves the stored schema as it is. */
export function schemaLeft(form: SagaOutboxForm, read: SagaItem | undefined): SagaSchema {
  return form === 'both' ? (read?.schema ?? 'records') : form;
}

/**
 * Returns the changeover of the item that a commit leaves: since then, both the record and the item tell of
 * each message. `undefined` after a commit that leaves only one of them.
 */
export function changeoverLeft(form: SagaOutboxForm, read: SagaItem | undefined): Date | undefined {
  return form === 'both' ? (read?.changeover ?? read?.updatedAt ?? NEVER) : undefined;
}

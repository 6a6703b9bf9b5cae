import { embeddedOutbox } from '../../lib/compose/embedded-outbox/embedded-outbox.ts';
import type { EmbeddedOutbox, SagaOutboxForm } from '../../lib/saga/definition/outbox-form.ts';

/** The outbox of a saga by its form, as a definition has it. */
export function outboxOfForm(form: SagaOutboxForm = 'records'): EmbeddedOutbox | undefined {
  return form === 'records' ? undefined : embeddedOutbox({ withRecords: form === 'both' });
}

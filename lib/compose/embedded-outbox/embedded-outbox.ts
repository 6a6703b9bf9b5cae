import { assertCheck, objectOf, trueOrFalse } from '../../kernel/checks/checks.ts';
import { readEmbedded } from '../../outbox/embedded/read-embedded.dynamodb.ts';
import type { EmbeddedOutbox } from '../../saga/definition/outbox-form.ts';
import type { OutboxParts } from '../outbox-parts.ts';
import { outboxOf } from './configure-outbox.ts';
import { embeddedOnTable } from './on-table.ts';

export interface EmbeddedOutboxOptions {
  /**
   * Whether each message has an outbox record, too. Set it while you move a saga that has instances from one
   * outbox to the other. See docs/guide/embedded-outbox.md.
   *
   * @default false
   */
  withRecords?: boolean | undefined;
}

const parts: OutboxParts = { readEmbedded, onTable: embeddedOnTable, outboxOf };

/**
 * Keeps the outbox of a saga in its own item: the ids of handled messages, and the messages still to be sent.
 * A message then commits with one conditional write. A saga without it has outbox records, and its function
 * none of this code. See docs/guide/embedded-outbox.md for when to choose it.
 *
 * @throws SagaboxError `Configuration` for an option that is wrong or does not exist
 * @example
 * ```ts
 * import { createHandler, defineSaga, embeddedOutbox } from 'sagabox';
 * import * as v from 'valibot';
 *
 * export const orderSaga = defineSaga({
 *   name: 'OrderSaga',
 *   outbox: embeddedOutbox(),
 *   messages: { OrderPlaced: v.object({ orderId: v.string() }) },
 *   correlate: { OrderPlaced: (body) => body.orderId },
 *   startedBy: ['OrderPlaced'],
 *   initialState: () => ({}),
 *   handlers: {
 *     OrderPlaced({ body }, { send }) {
 *       send('billing', 'ChargeCard', body);
 *     },
 *   },
 * });
 *
 * export const handler = createHandler(orderSaga);
 * ```
 */
export function embeddedOutbox(options: EmbeddedOutboxOptions = {}): EmbeddedOutbox {
  assertCheck(objectOf({ withRecords: trueOrFalse }), options, 'embeddedOutbox');
  return { form: options.withRecords ? 'both' : 'embedded', parts };
}

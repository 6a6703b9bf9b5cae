/**
 * The place of a saga's outbox. `records`: an outbox record for each message. `embedded`: the item of the
 * saga. `both`: each of them, on the way from one to the other.
 */
export type SagaOutboxForm = 'records' | EmbeddedOutbox['form'];

/** The outbox of a saga in the item of that saga, as `embeddedOutbox` makes it. */
export interface EmbeddedOutbox {
  readonly form: 'embedded' | 'both';
  /** The code of the embedded outbox, which stands above this folder: only this value bundles it. */
  readonly parts: unknown;
}

export function outboxForm(
  saga: { readonly outbox?: EmbeddedOutbox | undefined } | undefined,
): SagaOutboxForm {
  return saga?.outbox?.form ?? 'records';
}

/**
 * `records`: an outbox record for each message. `embedded`: all is in the item of the saga. `both`: in each of them, on
 * the way from one to the other.
 */
export type SagaOutboxForm = 'records' | EmbeddedOutbox['form'];

/** The outbox of a saga in the item of that saga, as `embeddedOutbox` makes it. */
export interface EmbeddedOutbox {
  readonly form: 'embedded' | 'both';
  /** The code that it takes, of floors that the core does not know: a bundle has it with this value alone. */
  readonly parts: unknown;
}

export function outboxForm(
  saga: { readonly outbox?: EmbeddedOutbox | undefined } | undefined,
): SagaOutboxForm {
  return saga?.outbox?.form ?? 'records';
}

/**
 * `records`: an outbox record for each message. `embedded`: all is in the item of the saga. `both`: in each of them, on
 * the way from one to the other.
 */
export type SagaOutboxForm = (typeof sagaOutboxForms)[number];

export const sagaOutboxForms = ['records', 'both', 'embedded'] as const;

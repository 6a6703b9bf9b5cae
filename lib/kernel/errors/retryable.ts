/** Message of an error, made of its facts. */
export interface ErrorMessage<Facts> {
  (facts: Facts): string;
  readonly retryable?: true;
}

/** Entry of an error after which the same message may succeed when it is simply tried again. */
export function retryable<Facts>(message: (facts: Facts) => string): ErrorMessage<Facts> {
  return Object.assign(message, { retryable: true as const });
}

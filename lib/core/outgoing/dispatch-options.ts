export interface DispatchOptions {
  /** Once it is aborted, no call is begun or waited for any more: the dispatch throws its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Told after each call which operations the service has taken, by their ids: also when others fail. */
  readonly onTaken?: ((operationIds: readonly string[]) => void) | undefined;
  /** Told of each message that is not sent again, and why the service did not take it. */
  readonly onRefused?: ((operationId: string, reason: Refusal) => void) | undefined;
}

/** Calls of one dispatch to one service at a time, where no order is to be kept. */
export const DISPATCH_CONCURRENCY = 10;

export interface Refusal {
  /** Whether it is refused again however often it is sent. */
  readonly isFinal: boolean;
  readonly detail: string;
}

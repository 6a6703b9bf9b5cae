export interface DispatchOptions {
  /** Ends the dispatch: once it is aborted, no call is begun or waited for, and its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each call with the ids of operations that the service has taken, also when others fail. */
  readonly onTaken?: ((operationIds: readonly string[]) => void) | undefined;
  /** Called for each message that is not sent again, with the reason why the service did not take it. */
  readonly onRefused?: ((operationId: string, reason: SendRefusal) => void) | undefined;
}

/** The most calls at a time: of one dispatch to the scheduler, and of all dispatches to one address. */
export const DISPATCH_CONCURRENCY = 10;

export interface SendRefusal {
  /** Whether the message is refused again however often it is sent. */
  readonly isFinal: boolean;
  readonly detail: string;
}

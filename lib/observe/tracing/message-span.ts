import type { SagaIdentity } from '../../dynamodb/keys.ts';

/** The span of one attempt at a message, or of a session. */
export interface MessageSpan {
  /** Runs the attempt: spans that users' code makes are children of this one. */
  run<T>(attempt: () => T): T;
  /** Of all messages that the handler sends: what creates each of them, at its dispatch, is a child of this span. */
  readonly traceHeaders: Readonly<Record<string, string>>;
  /** @param others the messages that are committed together with this one */
  commit<T>(others: readonly MessageSpan[], write: () => Promise<T>): Promise<T>;
  /** That its commit shared a transaction with those of others. */
  merged(others: readonly MessageSpan[]): void;
  noteOutcome(outcome: string, saga: SagaIdentity | undefined): void;
  /** @param failure why the attempt failed, if it did */
  end(failure?: { readonly error: unknown }): void;
}

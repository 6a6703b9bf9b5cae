import type { Context as LambdaContext } from 'aws-lambda';
import type { SenderContracts } from '../contracts/contract.ts';
import type { NoContracts } from '../contracts/sender-contracts.ts';
import type { UnitOfWorkContext } from '../outgoing/unit-of-work-context.ts';
import type { AppendingSaga, CollectingSaga, Saga } from '../saga/saga-state.ts';

/**
 * Where messages for people go; `console` and the Logger of Powertools fit as they are. A line about a failure
 * has `code`, `facts` and `error` in its fields, all in plain JSON: docs/guide/operations.md has the others.
 */
export interface MessageLogger {
  debug?(message: string, fields: Record<string, unknown>): void;
  info(message: string, fields: Record<string, unknown>): void;
  warn(message: string, fields: Record<string, unknown>): void;
  error(message: string, fields: Record<string, unknown>): void;
}

/**
 * What a handler gets beside the message: the Lambda context, and what it can do.
 *
 * @typeParam Listed the contracts of what it may send, as in `HandlerContext<{ sends: [typeof billing] }>`
 */
export interface HandlerContext<Listed extends SenderContracts = NoContracts>
  extends LambdaContext,
    UnitOfWorkContext<Listed> {
  readonly logger: MessageLogger;
  /** Aborted shortly before the invocation ends: a handler that runs a little longer commits nothing. */
  readonly signal: AbortSignal;
}

export interface SagaHandlerContext<State, Listed extends SenderContracts = NoContracts>
  extends HandlerContext<Listed> {
  readonly saga: Saga<State>;
}

/**
 * What a definition gives its handlers. By a name of its own, the compiler compares it with a
 * `HandlerContext` by its members, and not by its lists: a handler that lists two contracts can hand it to a
 * function that wants one of them.
 */
export interface DefinedHandlerContext<Listed extends SenderContracts> extends HandlerContext<Listed> {}

/** The same for handlers of a saga. */
export interface DefinedSagaHandlerContext<State, Listed extends SenderContracts>
  extends SagaHandlerContext<State, Listed> {}

/** The same for those of a saga that append: its timeouts are a part of the saga, which they leave as it is. */
export interface DefinedAppendingContext<State, Listed extends SenderContracts>
  extends Omit<HandlerContext<Listed>, 'requestTimeout' | 'cancelTimeout'> {
  readonly saga: AppendingSaga<State>;
}

/** The same for those of a saga that collect. */
export interface DefinedCollectingContext<State, Listed extends SenderContracts>
  extends HandlerContext<Listed> {
  readonly saga: CollectingSaga<State>;
}

import type { Context as LambdaContext } from 'aws-lambda';
import type { UnitOfWorkContext } from '../outgoing/unit-of-work-context.ts';
import type { Saga } from '../saga/saga-state.ts';

/** Where messages for people go; `console` and the Logger of Powertools fit as they are. */
export interface MessageLogger {
  debug?(message: string, facts: Record<string, unknown>): void;
  info(message: string, facts: Record<string, unknown>): void;
  warn(message: string, facts: Record<string, unknown>): void;
  error(message: string, facts: Record<string, unknown>): void;
}

/** What a handler gets beside the message: the Lambda context, and what it can do. */
export interface HandlerContext extends LambdaContext, UnitOfWorkContext {
  readonly logger: MessageLogger;
  /** Aborted shortly before the invocation ends: a handler that runs a little longer commits nothing. */
  readonly signal: AbortSignal;
}

export interface SagaHandlerContext<State> extends HandlerContext {
  readonly saga: Saga<State>;
}

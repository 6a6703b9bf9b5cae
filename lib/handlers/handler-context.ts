import type { Context as LambdaContext } from 'aws-lambda';
import type { SenderContracts } from '../messages/contracts/contract.ts';
import type { NoContracts } from '../messages/contracts/sender-contracts.ts';
import type { MessageLogger } from '../messages/logger.ts';
import type { UnitOfWorkContext } from '../sending/unit-of-work-context.ts';

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

/**
 * What a definition gives its handlers. By a name of its own, the compiler compares it with a
 * `HandlerContext` by its members, and not by its lists: a handler that lists two contracts can hand it to a
 * function that wants one of them.
 */
export interface DefinedHandlerContext<Listed extends SenderContracts> extends HandlerContext<Listed> {}

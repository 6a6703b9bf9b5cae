import type { Context as LambdaContext } from 'aws-lambda';
import type { SenderContracts } from '../messages/contracts/contract.ts';
import type { NoContracts } from '../messages/contracts/sender-contracts.ts';
import type { MessageLogger } from '../messages/logger.ts';
import type { UnitOfWorkContext } from '../sending/unit-of-work-context.ts';

/**
 * What the handler of a session can do. A session answers its caller, not a message, and has no saga: there
 * is no `reply`, and there are no timeouts.
 *
 * @typeParam Listed the contracts of what it may send, as in `{ sends: [typeof billing] }`
 */
export interface OutboxSessionScope<Listed extends SenderContracts = NoContracts>
  extends Pick<UnitOfWorkContext<Listed>, 'send' | 'publish' | 'sendImmediately' | 'transaction'> {
  readonly logger: MessageLogger;
  /**
   * Aborted 1 s before the invocation ends, or a tenth of its time if that is less. A handler that returns in
   * the last 0.5 s, or in the last twentieth, commits nothing.
   */
  readonly signal: AbortSignal;
}

/**
 * What a handler gets beside the event: the Lambda context, and what it can do.
 *
 * @typeParam Listed the contracts of what it may send, as in `OutboxSessionContext<{ sends: [typeof billing] }>`
 */
export interface OutboxSessionContext<Listed extends SenderContracts = NoContracts>
  extends LambdaContext,
    OutboxSessionScope<Listed> {}

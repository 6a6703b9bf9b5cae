import type { IncomingMessage, OutgoingOperation } from '../../messages/message.ts';

/** Keeps bodies that are too large to travel. Both calls end early when their signal is aborted. */
export interface ClaimChecks {
  /**
   * @returns the operations with a reference in place of each large body
   * @throws SagaboxError `ClaimCheckFailed`, `Configuration`
   */
  store(
    operations: readonly OutgoingOperation[],
    signal?: AbortSignal,
  ): Promise<readonly OutgoingOperation[]>;
  /**
   * @returns the message with its body
   * @throws SagaboxError `ClaimCheckNotFound`, `ClaimCheckFailed`
   */
  load(message: IncomingMessage, signal?: AbortSignal): Promise<IncomingMessage>;
}

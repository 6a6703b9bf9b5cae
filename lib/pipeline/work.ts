import type { Attempt, OpenMessage } from '../attempt/attempt.ts';
import type { IncomingMessage, OutgoingMessage, OutgoingOperation } from '../messages/message.ts';
import { failureFields } from '../observe/logs/log-fields.ts';
import type { SagaDraft } from '../saga/saga-draft.ts';
import { UnitOfWork } from '../sending/unit-of-work.ts';

/**
 * Makes the unit of work of a handler. Only messages of `sendImmediately` reach the ports before the commit.
 *
 * @param receivedBody the body before its schema changed it
 */
export function unitOfWork(
  attempt: Attempt,
  message: IncomingMessage,
  draft: SagaDraft | undefined,
  receivedBody?: unknown,
): UnitOfWork {
  const { endpoint, sending, saga, ports } = attempt.flow;
  const { span } = attempt.delivery;
  const dispatchNow = async (outgoing: OutgoingMessage) => {
    await ports.dispatcher.dispatch(await storeBodies(attempt, [outgoing]), { signal: attempt.signal });
  };
  return new UnitOfWork({
    message,
    receivedBody,
    saga: draft && {
      identity: draft.identity,
      timeouts: draft.timeouts,
      // A timeout that fires is removed from the saga, which handlers that append leave as it is.
      messageTypes: Object.keys(saga?.messages ?? {}).filter((type) => !saga?.appendedBy?.has(type)),
    },
    endpoint,
    sending,
    dispatchNow,
    traceHeaders: span?.traceHeaders,
    now: ports.clock.now(),
  });
}

/**
 * Waits for what the handler did not await: messages that it sent immediately, and message checks.
 *
 * @returns undefined if there is nothing to wait for: each await costs time and garbage for every message
 */
export function settleWork(
  opened: Pick<OpenMessage, 'work' | 'signal' | 'logger'>,
): Promise<void> | undefined {
  const { work } = opened;
  return work.isSending || work.checks.areUnderWay ? settleUnawaited(opened) : undefined;
}

async function settleUnawaited({ work, signal, logger }: Parameters<typeof settleWork>[0]): Promise<void> {
  for (const error of await work.settle(signal))
    logger.error('A message was not sent immediately', failureFields(error));
  await work.checks.settle();
}

/** Stores large bodies in the claim check bucket before the commit, so that no message lacks its body. */
export async function storeBodies(
  { flow, signal }: Pick<Attempt, 'flow' | 'signal'>,
  operations: readonly OutgoingOperation[],
): Promise<readonly OutgoingOperation[]> {
  const { claimChecks } = flow.ports;
  return claimChecks === undefined ? operations : await claimChecks.store(operations, signal);
}

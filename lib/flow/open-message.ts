import type { IncomingMessage, OutgoingMessage, OutgoingOperation } from '../core/incoming/message.ts';
import { UnitOfWork } from '../core/outgoing/unit-of-work.ts';
import type { SagaDraft } from '../core/saga/saga-state.ts';
import type { Attempt } from './attempt.ts';

/**
 * The handler's unit of work; only what it sends immediately reaches the ports before the commit.
 *
 * @param receivedBody before the schema of the message
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
      // A timeout that fires is taken from the saga, which those that append leave as it is.
      messageTypes: Object.keys(saga?.messages ?? {}).filter((type) => !saga?.appendedBy?.has(type)),
    },
    endpoint,
    sending,
    dispatchNow,
    traceHeaders: span?.traceHeaders,
    now: ports.clock.now(),
  });
}

/** Stores large bodies in the claim check bucket before the commit, so that no message lacks its body. */
export async function storeBodies(
  { flow, signal }: Pick<Attempt, 'flow' | 'signal'>,
  operations: readonly OutgoingOperation[],
): Promise<readonly OutgoingOperation[]> {
  const { claimChecks } = flow.ports;
  return claimChecks === undefined ? operations : await claimChecks.store(operations, signal);
}

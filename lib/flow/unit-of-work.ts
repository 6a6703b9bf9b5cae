import type { IncomingMessage, OutgoingMessage } from '../core/incoming/message.ts';
import { UnitOfWork } from '../core/outgoing/unit-of-work.ts';
import type { SagaDraft } from '../core/saga/saga-state.ts';
import { nextSagaVersion } from '../core/saga/saga-version.ts';
import type { Attempt } from './attempt.ts';
import { storeBodies } from './claim-check.ts';

/** What the handler of a message works with; only what it sends immediately reaches the ports from here. */
export function unitOfWork(
  attempt: Attempt,
  message: IncomingMessage,
  draft: SagaDraft | undefined,
): UnitOfWork {
  const { endpoint, sending, saga, ports } = attempt.flow;
  const dispatchNow = async (outgoing: OutgoingMessage) => {
    await ports.dispatcher.dispatch(await storeBodies(attempt, [outgoing]), { signal: attempt.signal });
  };
  const messageTypes = Object.keys(saga?.messages ?? {});
  return new UnitOfWork({
    message,
    saga: draft && {
      identity: draft.identity,
      nextVersion: nextSagaVersion(draft.opened.stored),
      timeouts: draft.timeouts,
      messageTypes,
    },
    endpoint,
    sending,
    dispatchNow,
    now: ports.clock.now(),
  });
}

import type { IncomingMessage, OutgoingMessage } from '../core/message.ts';
import type { SagaDraft } from '../core/saga-state.ts';
import { UnitOfWork } from '../core/unit-of-work.ts';
import type { Flow } from './attempt.ts';
import { depositBodies } from './put-aside.ts';

/** What the handler of a message works with; only what it sends immediately reaches the ports from here. */
export function unitOfWork(flow: Flow, message: IncomingMessage, saga: SagaDraft | undefined): UnitOfWork {
  const { endpoint, sending, ports } = flow;
  const dispatchNow = async (outgoing: OutgoingMessage) => {
    await ports.dispatcher.dispatch(await depositBodies(flow, [outgoing]));
  };
  return new UnitOfWork({ message, saga, endpoint, sending, dispatchNow, now: ports.clock.now() });
}

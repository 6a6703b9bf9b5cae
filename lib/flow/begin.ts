import type { SagaIdentity } from '../core/keys.ts';
import { SagaDraft } from '../core/saga-state.ts';
import { settleAll } from '../core/settle.ts';
import { UnitOfWork } from '../core/unit-of-work.ts';
import type { Attempt, Handling } from './attempt.ts';
import { dispatchAndMark } from './dispatch-and-mark.ts';
import { report } from './report.ts';

/** Waits until no other message of the same batch works on this saga. */
export type TakeTurn = (saga: SagaIdentity) => Promise<void>;

/**
 * From a received message to its handler: correlate, dedup check, saga load.
 *
 * @returns nothing when the handler need not run: the message is a duplicate, or no saga waits for it.
 */
export async function begin(attempt: Attempt, takeTurn: TakeTurn): Promise<Handling | undefined> {
  const { flow, received, meter } = attempt;
  const { sagas, outbox, clock } = flow.ports;

  const correlated = await flow.saga?.correlate(received);
  const message = correlated?.message ?? received;
  const identity = correlated?.identity;
  if (identity) await takeTurn(identity);

  const [record, stored] = await settleAll([
    outbox.find(message.id, meter),
    identity ? sagas.load(identity, meter) : undefined,
  ]);
  if (record?.dispatched) return await report(attempt, 'duplicate', identity);
  if (record) {
    await dispatchAndMark(flow, record, meter);
    return await report(attempt, 'redispatched', identity);
  }
  if (correlated && !correlated.starts && !stored) {
    await flow.hooks.onSagaNotFound?.(message);
    return await report(attempt, 'discarded', identity);
  }

  const draft = flow.saga && identity && new SagaDraft(identity, stored, flow.saga.initialState);
  const { endpoint, destinations } = flow;
  const work = new UnitOfWork({ message, endpoint, destinations, now: clock.now() });
  return { ...attempt, message, work, draft };
}

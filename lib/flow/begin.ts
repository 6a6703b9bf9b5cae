import type { CorrelatedMessage } from '../core/define-saga.ts';
import type { SagaIdentity } from '../core/keys.ts';
import { SagaDraft, type StoredSaga } from '../core/saga-state.ts';
import { UnitOfWork } from '../core/unit-of-work.ts';
import type { Attempt, Handling } from './attempt.ts';
import { dispatchAndMark } from './dispatch-and-mark.ts';
import { report } from './report.ts';

/** Waits until no other message of the same batch works on this saga. */
export type TakeTurn = (saga: SagaIdentity) => Promise<void>;

/**
 * From a received message to its handler: dedup check, and beside it correlation and saga load.
 *
 * @returns nothing when the handler need not run: the message is a duplicate, or no saga waits for it.
 */
export async function begin(attempt: Attempt, takeTurn: TakeTurn): Promise<Handling | undefined> {
  const { flow, received, meter } = attempt;
  const { outbox, clock } = flow.ports;

  const [found, loaded] = await Promise.allSettled([
    outbox.find(received.id, meter),
    loadSaga(attempt, takeTurn),
  ]);
  const record = resultOf(found);
  const identity = loaded.status === 'fulfilled' ? loaded.value?.identity : undefined;
  if (record?.dispatched) {
    await outbox.removeLeftovers(record, meter);
    return await report(attempt, 'duplicate', identity);
  }
  // What was committed is dispatched whatever has become of its schema or its saga since then.
  if (record) {
    await dispatchAndMark(flow, record, meter);
    return await report(attempt, 'redispatched', identity);
  }

  const saga = resultOf(loaded);
  const message = saga?.message ?? received;
  if (saga && !saga.starts && !saga.stored) {
    await flow.hooks.onSagaNotFound?.(message);
    return await report(attempt, 'discarded', saga.identity);
  }
  const draft = flow.saga && saga && new SagaDraft(saga.identity, saga.stored, flow.saga.initialState);
  const { endpoint, destinations } = flow;
  const work = new UnitOfWork({ message, endpoint, destinations, now: clock.now() });
  return { ...attempt, message, work, draft };
}

interface LoadedSaga extends CorrelatedMessage {
  readonly stored: StoredSaga | undefined;
}

async function loadSaga(attempt: Attempt, takeTurn: TakeTurn): Promise<LoadedSaga | undefined> {
  const { flow, received, meter } = attempt;
  if (flow.saga === undefined) return undefined;
  const correlated = await flow.saga.correlate(received);
  await takeTurn(correlated.identity);
  return { ...correlated, stored: await flow.ports.sagas.load(correlated.identity, meter) };
}

function resultOf<T>(result: PromiseSettledResult<T>): T {
  if (result.status === 'rejected') throw result.reason;
  return result.value;
}

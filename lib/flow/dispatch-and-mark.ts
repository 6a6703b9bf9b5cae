import type { OutboxRecord } from '../core/outbox/commit.ts';
import type { Flow } from './attempt.ts';
import { type DispatchTerms, RecordDispatch } from './record-dispatch.ts';

/**
 * In this order: a crash between the two sends the messages twice, with the same ids; the other order would
 * lose them.
 */
export async function dispatchAndMark(
  { ports }: Pick<Flow, 'ports'>,
  record: OutboxRecord,
  terms: DispatchTerms,
): Promise<void> {
  const dispatch = new RecordDispatch(ports, record, terms);
  try {
    await dispatch.sendRest();
  } catch (error) {
    terms.delivery?.assertOngoing();
    await dispatch.keepSent();
    throw error;
  }
  terms.delivery?.assertOngoing();
  // A mark that is waited for no longer may still be written: by then all is sent.
  await ports.outbox.markDispatched(dispatch.record, ports.clock.now(), terms.meter, terms.signal);
}

import type { OutboxRecord } from '../core/outbox/commit.ts';
import type { Flow } from './attempt.ts';
import { type DispatchTerms, RecordDispatch } from './record-dispatch.ts';

/**
 * Dispatches before it marks: a crash in between sends duplicates with the same ids; the other order would
 * lose messages.
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

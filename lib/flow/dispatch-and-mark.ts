import type { CapacityMeter } from '../core/capacity-meter.ts';
import type { OutboxRecord } from '../core/commit.ts';
import type { Flow } from './attempt.ts';

/** In this order: a crash between the two sends the messages twice, with the same ids; the other order would lose them. */
export async function dispatchAndMark(flow: Flow, record: OutboxRecord, meter: CapacityMeter): Promise<void> {
  const { dispatcher, outbox, clock } = flow.ports;
  await dispatcher.dispatch(record.operations);
  await outbox.markDispatched(record, clock.now(), meter);
}

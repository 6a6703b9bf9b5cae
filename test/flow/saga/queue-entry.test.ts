import { expect, it } from '@jest/globals';
import { CapacityMeter } from '../../../lib/core/storage/capacity-meter.ts';
import { SagaQueue } from '../../../lib/flow/saga/saga-queue.ts';

const turn = () => ({
  meter: new CapacityMeter(),
  sharing: undefined,
  saga: { name: 'Order', id: '7' },
});

it('a message is not known to be absent any more, once the saga of another endpoint may have committed it', async () => {
  const entry = new SagaQueue().enter({ messageId: 'm1', isInOrder: false });
  await entry.ask(turn());
  await entry.noteAbsence(Promise.resolve(undefined));
  expect(entry.isKnownAbsent).toBe(true);
  // A second handler asks for the same message: what the first one did was committed by itself.
  await entry.ask(turn());
  expect(entry.isKnownAbsent).toBe(false);
});

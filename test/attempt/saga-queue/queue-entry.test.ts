import { expect, it } from '@jest/globals';
import type { QueueEntry } from '../../../lib/attempt/saga-queue/queue-entry.ts';
import type { GroupMember } from '../../../lib/attempt/saga-queue/saga-group.ts';
import { SagaQueue } from '../../../lib/attempt/saga-queue/saga-queue.ts';
import { CapacityMeter } from '../../../lib/dynamodb/capacity-meter.ts';
import { SagaboxError } from '../../../lib/kernel/errors/errors.ts';

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

const sharing = {};

/** Of a group whose commit takes effect, and looks throttled. */
function memberOf({ messageId }: QueueEntry, meter: CapacityMeter): GroupMember {
  const reason = new SagaboxError('TransactionConflict', { item: 'x' });
  const terms = {
    sharing,
    onStartMargin: () => () => {},
    commit: async (members: readonly GroupMember[]) =>
      members.map(() => ({ status: 'rejected' as const, reason })),
  };
  const openedSaga = { identity: turn().saga };
  return { messageId, meter, openedSaga, write: undefined, endsSaga: false, writeCount: 1, terms } as never;
}

it('a message by itself passes its turn to those of its former group, for whose messages it waits', async () => {
  const queue = new SagaQueue();
  const entries = ['m1', 'm2'].map((messageId) => queue.enter({ messageId, isInOrder: false }));
  const commits = entries.map(async (entry) => {
    const request = { ...turn(), sharing };
    await entry.ask(request);
    await entry.join(memberOf(entry, request.meter)).catch((error) => entry.failed(error));
  });
  await Promise.all(commits);
  const [first, second] = entries as [QueueEntry, QueueEntry];
  // The second one is tried by itself, and found committed: it waits until the first one has sent.
  first.passOn();
  await second.ask(turn());
  const again = first.ask({ ...turn(), sharing });
  expect(first.isWorking).toBe(false);
  const sentAhead = second.sentAhead();
  expect(first.isWorking).toBe(true);
  await again;
  first.noteSent();
  await sentAhead;
});

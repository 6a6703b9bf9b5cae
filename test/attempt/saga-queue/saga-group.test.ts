import { expect, it } from '@jest/globals';
import { type GroupMember, SagaGroup } from '../../../lib/attempt/saga-queue/saga-group.ts';

it('takes no message that its saga would take for one that is there', () => {
  const group = new SagaGroup(() => {});
  const sharing = {};
  const saga = { name: 'Order', id: '7' };
  const member = {
    messageId: 'a1',
    openedSaga: { identity: saga },
    terms: { sharing },
    writeCount: 1,
  } as unknown as GroupMember;
  void group.add(member, Promise.resolve());
  const takes = (messageId: string) => group.takes({ messageId, sharing, saga, needsCommitted: false });
  expect([takes('a1'), takes('a2')]).toEqual([false, true]);
  const ofOther = { messageId: 'a2', sharing, saga: { name: 'Order', id: '8' }, needsCommitted: false };
  expect(group.takes(ofOther)).toBe(false);
});

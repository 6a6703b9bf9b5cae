import { expect, it, jest } from '@jest/globals';
import type { GroupMember } from '../../../lib/flow/saga/saga-group.ts';

// Nobody has two ids of one hash: here the first letter is the hash of an id.
jest.unstable_mockModule('../../../lib/core/embedded/message-hash.ts', () => ({
  pendingKey: (messageId: string) => messageId.slice(0, 1),
}));

const { SagaGroup } = await import('../../../lib/flow/saga/saga-group.ts');

it('takes no id whose hash another one has: the item would keep what one of them sends', () => {
  const group = new SagaGroup(() => {});
  const flow = {};
  const member = { messageId: 'a1', opened: {}, terms: { flow }, writeCount: 1 } as unknown as GroupMember;
  void group.add(member, Promise.resolve());
  const takes = (messageId: string) => group.takes({ messageId, flow, needsCommitted: false });
  expect([takes('a1'), takes('a2'), takes('b1')]).toEqual([false, false, true]);
});

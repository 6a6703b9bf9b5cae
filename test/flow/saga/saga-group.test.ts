import { expect, it } from '@jest/globals';
import { type GroupMember, SagaGroup } from '../../../lib/flow/saga/saga-group.ts';

it('takes no message that its saga would take for one that is there', () => {
  const group = new SagaGroup(() => {});
  const flow = {};
  const member = { messageId: 'a1', opened: {}, terms: { flow }, writeCount: 1 } as unknown as GroupMember;
  void group.add(member, Promise.resolve());
  const takes = (messageId: string) => group.takes({ messageId, flow, needsCommitted: false });
  expect([takes('a1'), takes('a2')]).toEqual([false, true]);
});

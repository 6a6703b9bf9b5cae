import { expect, it } from '@jest/globals';
import { pendingKey } from '../../../lib/core/embedded/message-hash.ts';
import type { SagaDraft } from '../../../lib/core/saga/saga-state.ts';
import { groupMember } from '../../../lib/flow/commit-group.ts';
import type { PreparedMessage } from '../../../lib/flow/commit-together.ts';
import { type GroupMember, SagaGroup } from '../../../lib/flow/saga/saga-group.ts';

it('takes no message that its saga would take for one that is there', () => {
  const group = new SagaGroup(() => {});
  const flow = {};
  const terms = { flow, keyOf: (messageId: string) => messageId.slice(0, 1) };
  const member = { messageId: 'a1', opened: {}, terms, writeCount: 1 } as unknown as GroupMember;
  void group.add(member, Promise.resolve());
  const takes = (messageId: string) => group.takes({ messageId, flow, needsCommitted: false });
  expect([takes('a1'), takes('a2'), takes('b1')]).toEqual([false, false, true]);
});

it.each([
  ['an embedded outbox, by the hash in its item', {}, pendingKey('a1')],
  ['outbox records, by its id', undefined, 'a1'],
])('knows a message of a saga with %s', (_what, embedded, key) => {
  const transaction = {
    flow: { ports: {}, embedded },
    received: { id: 'a1' },
    work: { transactionItems: [] },
  };
  const { terms } = groupMember({ transaction } as unknown as PreparedMessage, {} as SagaDraft, {});
  expect(terms.keyOf('a1')).toBe(key);
});

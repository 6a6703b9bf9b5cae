import { describe, expect, it } from '@jest/globals';
import { commitOf, outboxWrite, storedRecord } from '../support/commits.ts';
import { outgoingMessage } from '../support/outgoing-messages.ts';
import { sagaCreation } from '../support/saga-writes.ts';
import type { OpenSubject } from './ports-contract.ts';

/** Ids that must not be taken for one another. */
const distinctIds: [string, readonly string[]][] = [
  ['differ only in case', ['order-a', 'order-A', 'ORDER-A']],
  ['are made of separators', ['a#b', 'a', 'a#', '#a', 'a##b']],
  ['look alike', ['é', 'e\u0301', 'e']],
  ['are 512 and 513 bytes long', ['x'.repeat(512), 'x'.repeat(513)]],
  ['are far over 2,048 bytes and differ only at their end', [`${'y'.repeat(5000)}1`, `${'y'.repeat(5000)}2`]],
  ['are over 512 bytes only in UTF-8', ['é'.repeat(256), 'é'.repeat(257), 'é'.repeat(258)]],
  ['are bounded by their hashes, which differ', ['z'.repeat(600), 'Z'.repeat(600)]],
];

export function describeIdentity(open: OpenSubject): void {
  describe('ids', () => {
    it.each(distinctIds)('of messages are distinct when they %s', async (_name, ids) => {
      const { outbox, committer } = (await open()).ports('orders');
      for (const id of ids) {
        await committer.commit(storedRecord(id, [outgoingMessage({ id: `from ${id}` })]));
      }
      for (const id of ids) {
        const record = await outbox.find(id);
        expect(record?.messageId).toBe(id);
        expect(record?.operations.map((operation) => operation.id)).toEqual([`from ${id}`]);
      }
    });

    it.each(distinctIds)('of sagas are distinct when they %s', async (_name, ids) => {
      const { sagas, committer } = (await open()).ports('orders');
      for (const id of ids) {
        await committer.commit(sagaCreation({ id }, { name: 'OrderSaga', id }));
      }
      for (const id of ids) {
        const stored = await sagas.load({ name: 'OrderSaga', id });
        expect(stored?.readState()).toEqual({ id });
      }
    });

    it('of sagas are distinct under another saga name', async () => {
      const { sagas, committer } = (await open()).ports('orders');
      await committer.commit(sagaCreation({}, { name: 'OrderSaga', id: '1' }));
      expect(await sagas.load({ name: 'orderSaga', id: '1' })).toBeUndefined();
      expect(await sagas.load({ name: 'Order', id: 'Saga#1' })).toBeUndefined();
    });

    it('of sagas name the same saga at every endpoint', async () => {
      const subject = await open();
      await subject.ports('orders').committer.commit(sagaCreation({ a: 1 }));
      const stored = await subject.ports('billing').sagas.load({ name: 'OrderSaga', id: '42' });
      expect(stored?.readState()).toEqual({ a: 1 });
    });

    it('of messages are independent at two endpoints', async () => {
      const subject = await open();
      const orders = subject.ports('orders');
      const billing = subject.ports('billing');
      const record = outboxWrite('in-1', [outgoingMessage({ id: 'by orders' })]);
      await orders.committer.commit(commitOf({ outbox: record }));
      expect(await billing.outbox.find('in-1')).toBeUndefined();

      await billing.committer.commit(storedRecord('in-1', [outgoingMessage({ id: 'by billing' })]));
      await orders.outbox.markDispatched(record, new Date());
      const found = await billing.outbox.find('in-1');
      expect(found).toMatchObject({ dispatched: false, operations: [{ id: 'by billing' }] });
    });
  });
}

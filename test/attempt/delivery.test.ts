import { expect, it } from '@jest/globals';
import { Delivery } from '../../lib/attempt/delivery.ts';
import { usualDeadline } from '../../lib/compose/invocation.ts';

it('a delivery keeps the ids that it sent of one record, and none for the record of another saga', () => {
  const delivery = new Delivery({ deadline: usualDeadline(() => Number.POSITIVE_INFINITY) });
  const inItemOf = (partition: string) => ({ messageId: 'm', sagaItem: { partition, key: 'k' } });

  delivery.sentIdsOf(inItemOf('a')).add('1');
  expect(delivery.sentIdsOf(inItemOf('a'))).toContain('1');
  // Its operations have the same ids.
  expect(delivery.sentIdsOf(inItemOf('b'))).not.toContain('1');
});

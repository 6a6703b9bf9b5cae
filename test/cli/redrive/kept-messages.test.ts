import { expect, it } from '@jest/globals';
import { KeptMessages } from '../../../lib/cli/redrive/kept-messages.ts';
import { readStoredFailure } from '../../../lib/cli/redrive/stored-failure.ts';

const received = (MessageId: string, ReceiptHandle: string) =>
  readStoredFailure(
    { MessageId, ReceiptHandle, Body: 'x'.repeat(1024) },
    'https://queues.test/123456789012/errors',
    true,
  );

it('holds no bodies, of which a queue may have more than a process can', () => {
  const kept = new KeptMessages();
  expect(kept.add([received('a', 'a1'), received('b', 'b1')])).toHaveLength(2);
  expect(kept.all()).toEqual([{ receiptHandle: 'a1' }, { receiptHandle: 'b1' }]);
});

it('knows the latest receipt handle of each, and none of what has left the queue', () => {
  const kept = new KeptMessages();
  kept.add([received('a', 'a1'), received('b', 'b1')]);
  kept.remove(received('b', 'b1'));
  expect(kept.add([received('a', 'a2'), received('b', 'b2')])).toEqual([]);
  expect(kept.all()).toEqual([{ receiptHandle: 'a2' }]);
});

import { describe, expect, it } from '@jest/globals';
import { messageBatches } from '../../../lib/adapters/shared/message-batches.ts';
import { numberedMessages } from '../../support/outgoing-messages.ts';

/** Messages of these sizes, and of these groups where there are some. */
function batchSizes(
  sizes: readonly number[],
  groups: readonly (string | undefined)[] = [],
  inOrder = true,
): number[][] {
  const messages = numberedMessages(sizes.length).map((message, index) => {
    const group = groups[index];
    return { ...message, body: sizes[index] ?? 0, ...(group === undefined ? {} : { messageGroupId: group }) };
  });
  const batches = messageBatches(messages, {
    maxEntries: 3,
    maxBytes: 100,
    inOrder,
    bytesOf: ({ body }) => Number(body),
  });
  expect(batches.flat()).toEqual(messages);
  return batches.map((batch) => batch.map(({ body }) => Number(body)));
}

describe('batches of messages', () => {
  it.each<[string, number[], number[][]]>([
    ['of none are none', [], []],
    ['hold as many as are allowed', [1, 2, 3], [[1, 2, 3]]],
    ['hold no more', [1, 2, 3, 4], [[1, 2, 3], [4]]],
    ['hold as many bytes as are allowed', [40, 60], [[40, 60]]],
    ['hold no byte more', [40, 61], [[40], [61]]],
    ['hold no byte more, all of them together', [40, 40, 21], [[40, 40], [21]]],
    ['hold what is too large by itself, alone', [101, 1], [[101], [1]]],
    ['keep the order, also when a later one would fit', [60, 60, 40], [[60], [60, 40]]],
  ])('%s', (_name, sizes, batches) => {
    expect(batchSizes(sizes)).toEqual(batches);
  });

  it('hold one of each group where they have an order, and any number without one', () => {
    expect(batchSizes([1, 2, 3, 4], ['a', 'b', 'a', 'b'])).toEqual([
      [1, 2],
      [3, 4],
    ]);
    expect(batchSizes([1, 2, 3], ['a', undefined, undefined])).toEqual([[1, 2, 3]]);
    expect(batchSizes([1, 2, 3], ['a', 'a', 'a'], false)).toEqual([[1, 2, 3]]);
  });
});

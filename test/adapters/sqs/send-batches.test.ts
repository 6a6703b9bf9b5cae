import { describe, expect, it } from '@jest/globals';
import { batchesOf } from '../../../lib/adapters/sqs/send-batches.ts';
import { outgoingMessage, wireMessageOfSize } from '../../support/outgoing-messages.ts';

const mebibyte = 1024 * 1024;
const idsOf = (batches: ReturnType<typeof batchesOf>) => batches.map((batch) => batch.map(({ id }) => id));
const numbered = (count: number) =>
  Array.from({ length: count }, (_, index) => outgoingMessage({ id: String(index) }));

describe('batches', () => {
  it.each([
    [0, []],
    [1, [1]],
    [10, [10]],
    [11, [10, 1]],
    [20, [10, 10]],
    [21, [10, 10, 1]],
  ])('of %i small messages have %j entries', (count, lengths) => {
    const batches = batchesOf(numbered(count), false);
    expect(batches.map((batch) => batch.length)).toEqual(lengths);
    expect(idsOf(batches).flat()).toEqual(numbered(count).map(({ id }) => id));
  });

  it.each([
    ['of exactly 1 MiB together are one', [mebibyte / 2, mebibyte / 2], [['0', '1']]],
    ['of one byte more are two', [mebibyte / 2, mebibyte / 2 + 1], [['0'], ['1']]],
    ['of 1 MiB each are one each', [mebibyte, mebibyte], [['0'], ['1']]],
    ['start anew after a full one', [mebibyte - 500, 500, 500], [['0', '1'], ['2']]],
    ['keep their order, also when a later one would fit', [600_000, 600_000, 300], [['0'], ['1', '2']]],
  ])('%s', (_name, sizes, ids) => {
    const messages = sizes.map((size, index) => wireMessageOfSize(size, { id: String(index) }));
    expect(idsOf(batchesOf(messages, false))).toEqual(ids);
  });

  it('hold one message of each FIFO group, for SQS may take a later entry and refuse an earlier one', () => {
    const groups = ['a', 'b', 'a', 'c', 'a'];
    const messages = groups.map((messageGroupId, index) =>
      outgoingMessage({ id: `${messageGroupId}${index}`, messageGroupId }),
    );
    expect(idsOf(batchesOf(messages, true))).toEqual([['a0', 'b1'], ['a2', 'c3'], ['a4']]);
    expect(idsOf(batchesOf(messages, false))).toEqual([['a0', 'b1', 'a2', 'c3', 'a4']]);
  });

  it('count the bytes of UTF-8 and of attributes, not characters of the body', () => {
    const euros = wireMessageOfSize(mebibyte / 2, { id: '0', headers: { currency: '€'.repeat(1000) } }, '€');
    expect(idsOf(batchesOf([euros, wireMessageOfSize(mebibyte / 2, { id: '1' })], false))).toEqual([
      ['0', '1'],
    ]);
    expect(idsOf(batchesOf([euros, wireMessageOfSize(mebibyte / 2 + 1, { id: '1' })], false))).toEqual([
      ['0'],
      ['1'],
    ]);
  });
});

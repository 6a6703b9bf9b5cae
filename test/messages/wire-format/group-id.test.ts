import { describe, expect, it } from '@jest/globals';
import { isGroupId, sagaGroupId } from '../../../lib/messages/wire-format/group-id.ts';

describe('a FIFO group id', () => {
  it.each([
    ['a', 'valid'],
    ['~!"#/@', 'valid'],
    ['x'.repeat(128), 'valid'],
    ['x'.repeat(129), 'invalid'],
    ['', 'invalid'],
    ['a b', 'invalid'],
    ['a\n', 'invalid'],
    ['é', 'invalid'],
    [null, 'invalid'],
    [7, 'invalid'],
    [['a'], 'invalid'],
  ])('with the value %j is %s', (value, result) => {
    const expected = result === 'valid';
    expect(isGroupId(value)).toBe(expected);
  });
});

describe('the FIFO group of a saga', () => {
  it('is its name and id where that can be one', () => {
    expect(sagaGroupId({ name: 'Order', id: '42' })).toBe('Order#42');
    expect(sagaGroupId({ name: 'Order', id: 'x'.repeat(122) })).toBe(`Order#${'x'.repeat(122)}`);
  });

  it.each([['x'.repeat(123)], ['a b'], ['żółw'], ['x'.repeat(5000)]])('is a hash for the id %j', (id) => {
    const groupId = sagaGroupId({ name: 'Order', id });
    expect(groupId).toMatch(/^[0-9a-f]{64}$/);
    expect(sagaGroupId({ name: 'Order', id })).toBe(groupId);
    expect(sagaGroupId({ name: 'Order', id: `${id}.` })).not.toBe(groupId);
    expect(sagaGroupId({ name: 'Other', id })).not.toBe(groupId);
  });
});

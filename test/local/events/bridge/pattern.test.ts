import { describe, expect, it } from '@jest/globals';
import { patternTest } from '../../../../lib/local/events/bridge/pattern.ts';

const event = {
  source: 'shop.orders',
  'detail-type': 'OrderPlaced',
  resources: ['a', 'b'],
  detail: {
    total: 100,
    express: true,
    note: null,
    tags: [],
    customer: { country: 'CH', name: 'Ann' },
    lines: [{ sku: 'x' }, { sku: 'y' }],
  },
};

describe('an event pattern', () => {
  it.each<[string, object, boolean]>([
    ['the exact value', { source: ['shop.orders'] }, true],
    ['one of several values', { source: ['other', 'shop.orders'] }, true],
    ['another value', { source: ['shop'] }, false],
    ['all fields', { source: ['shop.orders'], 'detail-type': ['OrderPlaced'] }, true],
    ['not all fields', { source: ['shop.orders'], 'detail-type': ['OrderPaid'] }, false],
    ['a nested value', { detail: { customer: { country: ['CH'] } } }, true],
    ['another nested value', { detail: { customer: { country: ['DE'] } } }, false],
    ['a field that is not there', { detail: { customer: { city: ['Bern'] } } }, false],
    ['an object that is not there', { detail: { address: { city: ['Bern'] } } }, false],
    ['a number', { detail: { total: [100] } }, true],
    ['the string of a number', { detail: { total: ['100'] } }, false],
    ['a boolean', { detail: { express: [true] } }, true],
    ['null', { detail: { note: [null] } }, true],
    ['null where there is no value', { detail: { absent: [null] } }, false],
    ['an element of a list', { resources: ['b'] }, true],
    ['no element of a list', { resources: ['c'] }, false],
    ['an element of a list of objects', { detail: { lines: { sku: ['y'] } } }, true],
    ['no element of a list of objects', { detail: { lines: { sku: ['z'] } } }, false],
  ])('of %s', (_, pattern, expected) => {
    expect(patternTest(pattern)(event)).toBe(expected);
  });

  it.each<[object, string]>([
    [{ source: [{ prefix: 'shop.' }] }, 'matches'],
    [{ source: [{ prefix: 'orders' }] }, 'does not match'],
    [{ detail: { total: [{ prefix: '1' }] } }, 'does not match'],
    [{ source: [{ suffix: '.orders' }] }, 'matches'],
    [{ source: [{ suffix: 'shop' }] }, 'does not match'],
    [{ source: [{ 'equals-ignore-case': 'SHOP.Orders' }] }, 'matches'],
    [{ source: [{ 'equals-ignore-case': 'shop' }] }, 'does not match'],
    [{ source: [{ wildcard: 'sh*.or*s' }] }, 'matches'],
    [{ source: [{ wildcard: 'shopXorders' }] }, 'does not match'],
    [{ source: [{ wildcard: 'sh.p*' }] }, 'does not match'],
    [{ source: [{ wildcard: 'shop.orders' }] }, 'matches'],
    [{ source: [{ wildcard: '*' }] }, 'matches'],
    [{ source: [{ wildcard: '*p*' }] }, 'matches'],
    [{ source: [{ wildcard: '*orders' }] }, 'matches'],
    [{ source: [{ wildcard: 'shop.*ers*ers' }] }, 'does not match'],
    [{ source: [{ wildcard: 'shop.orders*s' }] }, 'does not match'],
    [{ source: [{ 'anything-but': 'shop.orders' }] }, 'does not match'],
    [{ source: [{ 'anything-but': ['a', 'b'] }] }, 'matches'],
    [{ source: [{ 'anything-but': ['a', 'shop.orders'] }] }, 'does not match'],
    [{ source: [{ 'anything-but': { prefix: 'shop' } }] }, 'does not match'],
    [{ source: [{ 'anything-but': { prefix: 'bank' } }] }, 'matches'],
    [{ detail: { absent: [{ 'anything-but': 'a' }] } }, 'does not match'],
    [{ detail: { total: [{ exists: true }] } }, 'matches'],
    [{ detail: { total: [{ exists: false }] } }, 'does not match'],
    [{ detail: { absent: [{ exists: false }] } }, 'matches'],
    [{ detail: { absent: { deeper: [{ exists: false }] } } }, 'matches'],
    [{ detail: { note: [{ exists: true }] } }, 'matches'],
    [{ detail: { tags: [{ exists: true }] } }, 'does not match'],
    [{ detail: { total: [{ numeric: ['=', 100] }] } }, 'matches'],
    [{ detail: { total: [{ numeric: ['>', 99.5] }] } }, 'matches'],
    [{ detail: { total: [{ numeric: ['>', 100] }] } }, 'does not match'],
    [{ detail: { total: [{ numeric: ['>=', 100, '<', 101] }] } }, 'matches'],
    [{ detail: { total: [{ numeric: ['>', 0, '<=', 99] }] } }, 'does not match'],
    [{ source: [{ numeric: ['>', 0] }] }, 'does not match'],
    [{ $or: [{ source: ['x'] }, { detail: { total: [100] } }] }, 'matches'],
    [{ $or: [{ source: ['x'] }, { detail: { total: [1] } }] }, 'does not match'],
  ])('with the match type %j %s', (pattern, result) => {
    const expected = result === 'matches';
    expect(patternTest(pattern)(event)).toBe(expected);
  });

  it.each<[unknown]>([
    [[]],
    [{}],
    [{ source: 'shop' }],
    [{ source: [] }],
    [{ source: [['shop']] }],
    [{ source: [{ prefix: 1 }] }],
    [{ source: [{ prefix: 'a', suffix: 'b' }] }],
    [{ source: [{ cidr: '10.0.0.0/24' }] }],
    [{ source: [{ exists: 'yes' }] }],
    [{ source: [{ exists: true, prefix: 'a' }] }],
    [{ source: [{ 'anything-but': [] }] }],
    [{ source: [{ 'anything-but': [{ prefix: 'a' }] }] }],
    [{ source: [{ numeric: ['>'] }] }],
    [{ source: [{ numeric: ['~', 1] }] }],
    [{ source: [{ numeric: ['>', '1'] }] }],
    [{ detail: {} }],
    [{ detail: { a: 'b' } }],
    [{ $or: [{ source: ['a'] }] }],
    [{ $or: [{ source: ['a'] }, { source: 'b' }] }],
  ])('%j is refused', (pattern) => {
    expect(() => patternTest(pattern)).toThrow(/^(Filter|'(source|detail|a|\$or)') /);
  });
});

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

  it.each<[object, boolean]>([
    [{ source: [{ prefix: 'shop.' }] }, true],
    [{ source: [{ prefix: 'orders' }] }, false],
    [{ detail: { total: [{ prefix: '1' }] } }, false],
    [{ source: [{ suffix: '.orders' }] }, true],
    [{ source: [{ suffix: 'shop' }] }, false],
    [{ source: [{ 'equals-ignore-case': 'SHOP.Orders' }] }, true],
    [{ source: [{ 'equals-ignore-case': 'shop' }] }, false],
    [{ source: [{ wildcard: 'sh*.or*s' }] }, true],
    [{ source: [{ wildcard: 'shopXorders' }] }, false],
    [{ source: [{ wildcard: 'sh.p*' }] }, false],
    [{ source: [{ 'anything-but': 'shop.orders' }] }, false],
    [{ source: [{ 'anything-but': ['a', 'b'] }] }, true],
    [{ source: [{ 'anything-but': ['a', 'shop.orders'] }] }, false],
    [{ source: [{ 'anything-but': { prefix: 'shop' } }] }, false],
    [{ source: [{ 'anything-but': { prefix: 'bank' } }] }, true],
    [{ detail: { absent: [{ 'anything-but': 'a' }] } }, false],
    [{ detail: { total: [{ exists: true }] } }, true],
    [{ detail: { total: [{ exists: false }] } }, false],
    [{ detail: { absent: [{ exists: false }] } }, true],
    [{ detail: { absent: { deeper: [{ exists: false }] } } }, true],
    [{ detail: { note: [{ exists: true }] } }, true],
    [{ detail: { tags: [{ exists: true }] } }, false],
    [{ detail: { total: [{ numeric: ['=', 100] }] } }, true],
    [{ detail: { total: [{ numeric: ['>', 99.5] }] } }, true],
    [{ detail: { total: [{ numeric: ['>', 100] }] } }, false],
    [{ detail: { total: [{ numeric: ['>=', 100, '<', 101] }] } }, true],
    [{ detail: { total: [{ numeric: ['>', 0, '<=', 99] }] } }, false],
    [{ source: [{ numeric: ['>', 0] }] }, false],
    [{ $or: [{ source: ['x'] }, { detail: { total: [100] } }] }, true],
    [{ $or: [{ source: ['x'] }, { detail: { total: [1] } }] }, false],
  ])('with the match type %j -> %s', (pattern, expected) => {
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

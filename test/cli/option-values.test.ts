import { describe, expect, it } from '@jest/globals';
import { propertyValue, since } from '../../lib/cli/option-values.ts';

const now = new Date('2026-11-21T06:00:00Z');

describe('a point in time', () => {
  it.each([
    ['90s', '2026-11-21T05:58:30.000Z'],
    ['30m', '2026-11-21T05:30:00.000Z'],
    ['12h', '2026-11-20T18:00:00.000Z'],
    ['7d', '2026-11-14T06:00:00.000Z'],
    ['0s', '2026-11-21T06:00:00.000Z'],
    ['2026-11-20T00:00Z', '2026-11-20T00:00:00.000Z'],
    ['2026-11-20', '2026-11-20T00:00:00.000Z'],
  ])('%s is %s', (given, expected) => {
    expect(since(given, undefined, now).toISOString()).toBe(expected);
  });

  it.each(['', '5', '5w', '-5m', '1.5h', 'now', '2026-13-01', '99999999999d'])('%j is none', (given) => {
    expect(() => since(given, undefined, now)).toThrow('Expected a time such as');
  });
});

describe('a property and its value', () => {
  it.each([
    ['status=running', 'status', 'running'],
    ['note=a=b', 'note', 'a=b'],
    ['note=', 'note', ''],
  ])('are read from %s', (given, property, value) => {
    expect(propertyValue(given)).toEqual({ property, value });
  });

  it.each(['', 'status', '=running'])('are not in %j', (given) => {
    expect(() => propertyValue(given)).toThrow('Expected a property and its value');
  });
});

import { describe, expect, it } from '@jest/globals';
import { ownParts } from '../../lib/messages/own-parts.ts';

class Money {
  readonly cents = 5;
}

describe('what a schema returned', () => {
  it('has objects and arrays of its own, at each depth', () => {
    const value = { order: { lines: [{ article: 'tea' }] } };
    const own = ownParts(value) as typeof value;
    expect(own).toEqual(value);
    expect(own).not.toBe(value);
    expect(own.order).not.toBe(value.order);
    expect(own.order.lines).not.toBe(value.order.lines);
    expect(own.order.lines[0]).not.toBe(value.order.lines[0]);
  });

  it.each([
    ['a date', new Date(0)],
    ['an instance', new Money()],
    ['a map', new Map()],
    ['bytes', new Uint8Array(1)],
    ['a function', () => {}],
    ['nothing', undefined],
    ['null', null],
    ['a text', 'tea'],
  ])('keeps what is no literal as it is: %s', (_what, part) => {
    expect((ownParts({ part }) as { part: unknown }).part).toBe(part);
  });

  it('stays frozen where it was', () => {
    const own = ownParts({ lines: Object.freeze(['tea']), order: Object.freeze({ id: '1' }) }) as object;
    expect(Object.values(own).map(Object.isFrozen)).toEqual([true, true]);
    expect(Object.isFrozen(own)).toBe(false);
  });

  it('keeps a property __proto__, which is an ordinary one', () => {
    const value = JSON.parse('{"__proto__":{"admin":true}}');
    expect(JSON.stringify(ownParts(value))).toBe('{"__proto__":{"admin":true}}');
  });

  it('may have any depth', () => {
    const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`);
    expect(() => ownParts(deep)).not.toThrow();
  });
});

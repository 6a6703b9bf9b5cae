import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { newLease } from '../../lib/kernel/lease.ts';
import { type RefusedAttempt, refreshDelayMs } from '../../lib/saga/lease-refresh.ts';
import { sampled } from '../support/samples.ts';

const settings = { minRefreshDelayMs: 100, maxRefreshDelayMs: 300 };
const now = new Date('2026-01-02T03:04:05.678Z');
const fromNow = (ms: number) => new Date(now.getTime() + ms);

const delayOf = (parts: Partial<RefusedAttempt>) =>
  refreshDelayMs(
    { now, deadline: fromNow(10_000), refusals: 1, leaseUntil: undefined, random: 0, ...parts },
    settings,
  );

describe('a new lease', () => {
  it('ends after its duration', () => {
    expect(newLease('me', now, 30_000)).toEqual({ owner: 'me', until: fromNow(30_000) });
  });
});

describe('the delay after a refused attempt', () => {
  it.each([
    [0, 100],
    [0.5, 200],
    [0.9999, 300],
  ])('is random within the range: %f gives %i ms', (random, expected) => {
    expect(delayOf({ random })).toBe(expected);
    expect(delayOf({ random, leaseUntil: fromNow(30_000) })).toBe(expected);
  });

  it.each([
    [1, 200],
    [2, 400],
    [3, 800],
    [4, 800],
    [100, 800],
  ])(
    'doubles while the same lease is in the way, up to fourfold: %i refusals give %i ms',
    (refusals, expected) => {
      expect(delayOf({ random: 0.5, refusals, leaseUntil: fromNow(30_000) })).toBe(expected);
    },
  );

  it('does not grow when nobody knows of a lease', () => {
    expect(delayOf({ refusals: 5 })).toBe(100);
  });

  it.each([
    [99, 100],
    [100, 101],
    [101, 102],
    [300, 301],
    [399, 400],
    [400, 400],
    [30_000, 400],
  ])('of 400 ms, for a lease that ends in %i ms, is %i ms', (endsInMs, expected) => {
    expect(delayOf({ refusals: 3, leaseUntil: fromNow(endsInMs) })).toBe(expected);
  });

  it.each([
    [198, 200],
    [199, 200],
    [200, 301],
  ])('is not spread when the lease ends within it: in %i ms, %i ms', (endsInMs, expected) => {
    expect(delayOf({ refusals: 3, random: 0.5, leaseUntil: fromNow(endsInMs) })).toBe(expected);
  });

  it.each([0, -1, -60_000])('is a plain one when the lease has ended %i ms from now', (endsInMs) => {
    expect(delayOf({ refusals: 3, leaseUntil: fromNow(endsInMs), random: 0.5 })).toBe(200);
  });

  it.each([
    [99, undefined],
    [100, 100],
    [101, 101],
    [399, 399],
    [400, 400],
    [401, 400],
  ])('of 400 ms, with %i ms left, is %s', (leftMs, expected) => {
    expect(delayOf({ refusals: 3, leaseUntil: fromNow(30_000), deadline: fromNow(leftMs) })).toBe(expected);
  });
});

const anyAttempt = fc.record({
  min: fc.integer({ min: 1, max: 2000 }),
  span: fc.integer({ min: 0, max: 2000 }),
  leftMs: fc.integer({ min: -5000, max: 70_000 }),
  refusals: fc.integer({ min: 1, max: 50 }),
  endsInMs: fc.option(fc.integer({ min: -70_000, max: 70_000 }), { nil: undefined }),
  random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
});

type AnyAttempt = typeof anyAttempt extends fc.Arbitrary<infer T> ? T : never;

function tryOne({ min, span, leftMs, refusals, endsInMs, random }: AnyAttempt) {
  const attempt = {
    now,
    deadline: fromNow(leftMs),
    refusals,
    leaseUntil: endsInMs === undefined ? undefined : fromNow(endsInMs),
    random,
  };
  const range = { minRefreshDelayMs: min, maxRefreshDelayMs: min + span };
  return { delayMs: refreshDelayMs(attempt, range), jitteredMs: min + random * span, maxMs: min + span };
}

describe('any delay after a refused attempt', () => {
  it('is whole, from the jittered one to four times it, and never past the deadline', () => {
    fc.assert(
      fc.property(anyAttempt, (attempt) => {
        const { delayMs, jitteredMs } = tryOne(attempt);
        expect(delayMs === undefined).toBe(attempt.leftMs < jitteredMs);
        if (delayMs === undefined) return;
        expect(Number.isInteger(delayMs)).toBe(true);
        expect(delayMs).toBeGreaterThanOrEqual(jitteredMs);
        expect(delayMs).toBeLessThanOrEqual(Math.ceil(4 * jitteredMs));
        expect(delayMs).toBeLessThanOrEqual(attempt.leftMs);
      }),
      sampled(1000),
    );
  });

  it('ends at most one refresh delay after the lease that is in the way', () => {
    fc.assert(
      fc.property(anyAttempt, (attempt) => {
        const { delayMs, maxMs } = tryOne(attempt);
        if (delayMs === undefined || attempt.endsInMs === undefined || attempt.endsInMs <= 0) return;
        expect(delayMs - attempt.endsInMs).toBeLessThanOrEqual(maxMs);
      }),
      sampled(1000),
    );
  });

  it('that was cut short by the end of the lease lets the next attempt find it over', () => {
    fc.assert(
      fc.property(anyAttempt, (attempt) => {
        const { delayMs, jitteredMs } = tryOne({ ...attempt, leftMs: 1_000_000, refusals: 50 });
        const { endsInMs } = attempt;
        if (delayMs === undefined || endsInMs === undefined || endsInMs < jitteredMs) return;
        if (delayMs < Math.ceil(4 * jitteredMs)) expect(delayMs).toBeGreaterThan(endsInMs);
      }),
      sampled(1000),
    );
  });
});

import { describe, expect, it } from '@jest/globals';
import { newLease } from '../../lib/kernel/lease.ts';
import { postponed } from '../../lib/relay/postponement.ts';

const now = new Date('2026-01-02T03:04:05.678Z');
const lease = newLease('a', now, 60_000);
const dayMs = 86_400_000;

const waitMs = (storedAt: Date) => postponed(lease, storedAt, now).until.getTime() - now.getTime();
const ago = (ms: number) => new Date(now.getTime() - ms);

describe('a record that could not be dispatched is postponed', () => {
  it('in the name of who tried', () => {
    expect(postponed(lease, ago(1000), now)).toEqual({
      owner: 'a',
      until: new Date(now.getTime() + 500),
      postponed: true,
    });
  });

  it.each([
    [900_000, 450_000],
    [2 * dayMs - 2, dayMs - 1],
    [2 * dayMs, dayMs],
    [2 * dayMs + 2, dayMs],
    [0, 0],
    // By a clock that is ahead.
    [-60_000, 0],
  ])('at an age of %i ms for %i ms', (ageMs, expectedMs) => {
    expect(waitMs(ago(ageMs))).toBe(expectedMs);
  });

  it('for the longest time when its age cannot be read', () => {
    expect(waitMs(new Date(Number.NaN))).toBe(dayMs);
  });
});

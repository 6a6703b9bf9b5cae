import { describe, expect, it } from '@jest/globals';
import { scaledClock } from '../../../lib/local/app/scaled-clock.ts';

describe('a scaled clock', () => {
  it('starts at the real time, runs faster, and jumps', () => {
    let real = 1_000;
    const clock = scaledClock(60, () => real);
    expect(clock.now()).toBe(1_000);
    real += 10;
    expect(clock.now()).toBe(1_600);
    clock.advance(5_000);
    expect(clock.now()).toBe(6_600);
  });
});

import type { Clock } from '../../lib/kernel/clock.ts';

/** A clock that only a sleep moves, or a test. */
export class MovingClock implements Clock {
  readonly sleepsMs: number[] = [];
  #nowMs: number;

  constructor(now = new Date('2026-01-02T03:04:05.678Z')) {
    this.#nowMs = now.getTime();
  }

  now(): Date {
    return new Date(this.#nowMs);
  }

  pass(durationMs: number): void {
    this.#nowMs += durationMs;
  }

  async sleep(durationMs: number): Promise<void> {
    this.sleepsMs.push(durationMs);
    this.pass(durationMs);
  }

  /** The same time, seen by a process whose clock is ahead by so much, or behind. */
  skewed(byMs: number): Clock {
    return {
      now: () => new Date(this.#nowMs + byMs),
      sleep: (durationMs) => this.sleep(durationMs),
    };
  }
}

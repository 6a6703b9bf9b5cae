import type { Clock } from '../../lib/ports.ts';

/** A clock that stands still, and only notes how long it was to sleep. */
export class ManualClock implements Clock {
  readonly sleepsMs: number[] = [];
  readonly #now: Date;

  constructor(now = new Date('2026-01-02T03:04:05.678Z')) {
    this.#now = now;
  }

  now(): Date {
    return this.#now;
  }

  async sleep(durationMs: number): Promise<void> {
    this.sleepsMs.push(durationMs);
  }
}

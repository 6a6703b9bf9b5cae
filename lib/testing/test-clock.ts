import type { Clock } from '../ports.ts';

/** Stands still until it is moved. */
export class TestClock implements Clock {
  #now: Date;

  constructor(now: Date) {
    this.#now = now;
  }

  now(): Date {
    return new Date(this.#now);
  }

  /** Never backwards. */
  moveTo(time: Date): void {
    if (time > this.#now) this.#now = time;
  }

  async sleep(): Promise<void> {}
}

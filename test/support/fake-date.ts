import { jest } from '@jest/globals';

/**
 * Sets `Date` alone: timers stay real, as the runtime waits for engines. `jest.useRealTimers` ends it.
 *
 * @param moves whether it goes on from there; else it stands still
 */
export function fakeDate(now: Date | number, { moves = false } = {}): void {
  const doNotFake = ['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate'] as const;
  const timers = ['clearImmediate', 'setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const;
  jest.useFakeTimers({ now, doNotFake: [...doNotFake, ...timers], advanceTimers: moves });
}

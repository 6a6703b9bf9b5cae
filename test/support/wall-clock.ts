import { afterEach, jest } from '@jest/globals';

const timers = [
  ...['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'],
  ...['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'],
] as Parameters<typeof jest.useFakeTimers>[0] extends { doNotFake?: (infer Api)[] } | undefined
  ? Api[]
  : never;

afterEach(() => void jest.useRealTimers());

/** Lets so much time pass at once, for `Date` alone: leases end, and no test waits for it. */
export function passTime(milliseconds: number): void {
  jest.useFakeTimers({ now: Date.now() + milliseconds, doNotFake: timers });
}

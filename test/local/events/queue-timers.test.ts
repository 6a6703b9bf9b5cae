import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { QueueTimers } from '../../../lib/local/events/queue-timers.ts';
import { waitUntil } from '../../support/wait-until.ts';

const hourMs = 3_600_000;
let ran: string[];
let timers: QueueTimers;

beforeEach(() => {
  ran = [];
  timers = new QueueTimers(1);
});
afterEach(async () => {
  jest.useRealTimers();
  await timers.stop();
});

function scheduleIn(name: string, delayMs: number): () => void {
  return timers.schedule(timers.now() + delayMs, async () => {
    ran.push(name);
  });
}

describe('timers on the clock of the queues', () => {
  it('run what is due after a jump, in the order of its time', () => {
    scheduleIn('two hours', 2 * hourMs);
    scheduleIn('one hour', hourMs);
    scheduleIn('three hours', 3 * hourMs);
    timers.advance(hourMs - 60_000);
    expect(ran).toEqual([]);
    timers.advance(hourMs + 60_000);
    expect(ran).toEqual(['one hour', 'two hours']);
  });

  it('run as much earlier as the clock is faster', () => {
    jest.useFakeTimers();
    timers = new QueueTimers(36_000);
    scheduleIn('an hour', hourMs);
    jest.advanceTimersByTime(99);
    expect(ran).toEqual([]);
    jest.advanceTimersByTime(1);
    expect(ran).toEqual(['an hour']);
  });

  it('run at once what is overdue', async () => {
    scheduleIn('overdue', -hourMs);
    await waitUntil(() => ran.length === 1);
  });

  it('wait longer than one timeout of Node can', () => {
    scheduleIn('a year', 365 * 24 * hourMs);
    timers.advance(364 * 24 * hourMs);
    expect(ran).toEqual([]);
    timers.advance(24 * hourMs);
    expect(ran).toEqual(['a year']);
  });

  it('do not run what was called off, nor anything after the stop', async () => {
    const callOff = scheduleIn('called off', hourMs);
    callOff();
    timers.advance(2 * hourMs);
    scheduleIn('stopped', hourMs);
    await timers.stop();
    timers.advance(2 * hourMs);
    expect(ran).toEqual([]);
  });

  it('let the stop wait for what runs', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    timers.schedule(timers.now() + hourMs, async () => {
      await promise;
      ran.push('ended');
    });
    timers.advance(hourMs);
    const stopped = timers.stop();
    resolve();
    await stopped;
    expect(ran).toEqual(['ended']);
  });
});

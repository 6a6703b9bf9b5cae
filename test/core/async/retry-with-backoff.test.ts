import { describe, expect, it } from '@jest/globals';
import {
  fullJitterDelayMs,
  type RetryTerms,
  retryWithBackoff,
} from '../../../lib/core/async/retry-with-backoff.ts';

const backoff = { maxRetries: 5, baseDelayMs: 50, maxDelayMs: 2000 };

/** Attempts that return 'left', or throw, until one returns 'done'. */
async function run(outcomes: readonly ('left' | Error)[], terms: Partial<RetryTerms<string>> = {}) {
  const delays: number[] = [];
  let attempts = 0;
  const attempt = async () => {
    const outcome = outcomes[attempts] ?? 'done';
    attempts += 1;
    if (outcome instanceof Error) throw outcome;
    return outcome;
  };
  const sleep = async (durationMs: number) => void delays.push(durationMs);
  const given = { backoff, sleep, random: () => 0.5, ...terms };
  const result = await retryWithBackoff(attempt, given).catch((error: unknown) => error);
  return { attempts, delays, result };
}

const isUnfinished = (result: string) => result === 'left';
const failure = new Error('busy');

describe('retryWithBackoff', () => {
  it('makes an attempt again, after growing delays, as long as something is left', async () => {
    expect(await run(['left', 'left', 'left'], { isUnfinished })).toEqual({
      attempts: 4,
      delays: [25, 50, 100],
      result: 'done',
    });
  });

  it('makes one that threw again only where its terms say so, and tells them the delay', async () => {
    const delays: number[] = [];
    const mayRetry = (error: unknown, delayMs: number) => delays.push(delayMs) > 0 && error === failure;
    expect(await run([failure, failure], { mayRetry })).toMatchObject({ attempts: 3, result: 'done' });
    expect(delays).toEqual([25, 50]);
    expect(await run([new TypeError('a bug')], { mayRetry })).toMatchObject({
      attempts: 1,
      result: expect.any(TypeError),
    });
    expect(await run([failure])).toMatchObject({ attempts: 1, result: failure });
    expect(await run(['left'])).toMatchObject({ attempts: 1, result: 'left' });
  });

  it.each([
    [5, 'done'],
    [6, 'left'],
  ])('after %i attempts with something left ends with %p', async (count, result) => {
    expect(await run(Array(count).fill('left'), { isUnfinished })).toMatchObject({ attempts: 6, result });
  });

  it('makes no attempt once the signal is aborted, and throws its reason', async () => {
    const controller = new AbortController();
    const sleep = async (_durationMs: number, signal?: AbortSignal) => {
      expect(signal).toBe(controller.signal);
      controller.abort('time is up');
    };
    const ended = await run(['left', 'left'], { isUnfinished, sleep, signal: controller.signal });
    expect(ended).toMatchObject({ attempts: 1, result: 'time is up' });
    expect(await run([], { signal: controller.signal })).toMatchObject({ attempts: 0, result: 'time is up' });
  });
});

describe('fullJitterDelayMs', () => {
  it.each([
    [0, 0, 0],
    [0, 1, 50],
    [3, 1, 400],
    [5, 1, 1600],
    [6, 1, 2000],
    [60, 0.5, 1000],
  ])('before retry %i, with random %f: %f ms', (retry, random, expected) => {
    expect(fullJitterDelayMs(retry, backoff, random)).toBe(expected);
  });
});

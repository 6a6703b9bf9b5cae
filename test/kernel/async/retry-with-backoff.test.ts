import { describe, expect, it } from '@jest/globals';
import {
  backoffDelayMs,
  type RetryTerms,
  retryWithBackoff,
} from '../../../lib/kernel/async/retry-with-backoff.ts';

const backoff = { maxRetries: 5, baseDelayMs: 50, maxDelayMs: 2000 };

const busy = new Error('busy');

/** Attempts that throw, until one returns 'done'. */
async function run(failures: readonly Error[], terms: Partial<RetryTerms> = {}) {
  const delays: number[] = [];
  let attempts = 0;
  const attempt = async () => {
    const failure = failures[attempts];
    attempts += 1;
    if (failure) throw failure;
    return 'done';
  };
  const sleep = async (durationMs: number) => void delays.push(durationMs);
  const given = { backoff, mayRetry: (error: unknown) => error === busy, sleep, random: () => 0.5, ...terms };
  const result = await retryWithBackoff(attempt, given).catch((error: unknown) => error);
  return { attempts, delays, result };
}

describe('retryWithBackoff', () => {
  it('makes an attempt that threw again, after growing delays', async () => {
    expect(await run([busy, busy, busy])).toEqual({ attempts: 4, delays: [25, 50, 100], result: 'done' });
  });

  it('makes one again only where its terms say so, and tells them the delay', async () => {
    const delays: number[] = [];
    const mayRetry = (_error: unknown, delayMs: number) => delays.push(delayMs) < 2;
    expect(await run([busy, busy], { mayRetry })).toMatchObject({ attempts: 2, result: busy });
    expect(delays).toEqual([25, 50]);
    const bug = new TypeError('a bug');
    expect(await run([busy, bug])).toEqual({ attempts: 2, delays: [25], result: bug });
  });

  it.each([
    [5, 'done'],
    [6, busy],
  ])('after %i attempts that threw ends with %p', async (count, result) => {
    expect(await run(Array(count).fill(busy))).toMatchObject({ attempts: 6, result });
  });
});

describe('backoffDelayMs', () => {
  it.each([
    [0, 0, 0],
    [0, 1, 50],
    [3, 1, 400],
    [5, 1, 1600],
    [6, 1, 2000],
    [60, 0.5, 1000],
  ])('before retry %i, with random %f: %f ms', (retry, random, expected) => {
    expect(backoffDelayMs(retry, backoff, random)).toBe(expected);
  });
});

import { describe, expect, it } from '@jest/globals';
import { SagaboxError } from '../../lib/core/errors.ts';
import { fullJitterDelayMs, withImmediateRetries } from '../../lib/flow/retry.ts';

const conflict = () =>
  new SagaboxError('SagaConcurrency', { sagaName: 'Order', sagaId: '1', operation: 'update' });

const settings = { maximumRetries: 5, baseDelayMs: 50, maximumDelayMs: 2000 };

/** An attempt that fails `failures` times; time stands still but for the delays. */
async function run(failures: number, error: () => Error, remainingTimeMs = Number.POSITIVE_INFINITY) {
  const delays: number[] = [];
  let attempts = 0;
  const outcome = withImmediateRetries(
    async () => {
      attempts += 1;
      if (attempts <= failures) throw error();
    },
    settings,
    {
      sleep: async (durationMs) => void delays.push(durationMs),
      random: () => 0.5,
      remainingTimeMs: () => remainingTimeMs - delays.reduce((sum, delay) => sum + delay, 0),
    },
  );
  const failure = await outcome.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  return { attempts, delays, failure };
}

describe('withImmediateRetries', () => {
  it('tries a conflict again, with growing delays', async () => {
    const { attempts, delays, failure } = await run(3, conflict);
    expect({ attempts, delays, failure }).toEqual({ attempts: 4, delays: [25, 50, 100], failure: undefined });
  });

  it.each([
    [5, undefined],
    [6, expect.objectContaining({ code: 'SagaConcurrency' })],
  ])('after %i failures in a row ends with %p', async (failures, expected) => {
    const { attempts, failure } = await run(failures, conflict);
    expect(attempts).toBe(6);
    expect(failure).toEqual(expected);
  });

  it('leaves what a retry cannot help to SQS', async () => {
    const { attempts, failure } = await run(1, () => new TypeError('a bug'));
    expect(attempts).toBe(1);
    expect(failure).toBeInstanceOf(TypeError);
  });

  it.each([
    [1025, 1],
    [1026, 2],
  ])('with %i ms of the invocation left makes %i attempts', async (remainingTimeMs, expected) => {
    const { attempts } = await run(6, conflict, remainingTimeMs);
    expect(attempts).toBe(expected);
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
    expect(fullJitterDelayMs(retry, settings, random)).toBe(expected);
  });
});

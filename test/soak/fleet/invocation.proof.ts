import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { waitUntil } from '../../support/wait-until.ts';
import { invoke } from './invocation.ts';

function watched(timeLimitMs: number) {
  const seen = { cutOffs: 0, usedMs: [] as number[] };
  const limit = {
    timeLimitMs,
    onCutOff: () => {
      seen.cutOffs += 1;
    },
    onTime: (usedMs: number) => seen.usedMs.push(usedMs),
  };
  return { seen, limit };
}

/** Keeps the process from doing anything else, as a busy machine does. */
function block(durationMs: number): void {
  const endsAt = performance.now() + durationMs;
  while (performance.now() < endsAt);
}

describe('an invocation', () => {
  it('returns what the function returns, and tells how long that took', async () => {
    const { seen, limit } = watched(60_000);
    const remaining = await invoke(async (context) => {
      await delay(100);
      return context.getRemainingTimeInMillis();
    }, limit);
    expect(remaining).toBeGreaterThan(30_000);
    expect(remaining).toBeLessThanOrEqual(59_910);
    expect(seen.cutOffs).toBe(0);
    expect(seen.usedMs).toHaveLength(1);
    expect(seen.usedMs[0]).toBeGreaterThan(80);
  });

  it('throws what the function throws', async () => {
    const { seen, limit } = watched(60_000);
    await expect(invoke(() => Promise.reject(new Error('of the handler')), limit)).rejects.toThrow('handler');
    expect(seen.cutOffs).toBe(0);
  });

  it('is cut off at its time limit, and answers nobody any more', async () => {
    const { seen, limit } = watched(200);
    let answers = 0;
    const count = () => {
      answers += 1;
    };
    const { promise, resolve: end } = Promise.withResolvers<void>();
    invoke(() => promise, limit).then(count, count);
    await waitUntil(() => seen.cutOffs === 1);
    end();
    await delay(10);
    expect(answers).toBe(0);
    expect(seen).toEqual({ cutOffs: 1, usedMs: [200] });
  });

  it('is not charged for time in which the process could not run', async () => {
    const { seen, limit } = watched(1000);
    await invoke(async () => {
      await delay(10);
      block(1200);
      await delay(1);
    }, limit);
    expect(seen.cutOffs).toBe(0);
    expect(seen.usedMs[0]).toBeLessThan(1000);
  });
});

import { beforeAll, describe, expect, it } from '@jest/globals';
import type { OverheadOfBatch } from '../benchmark/benchmark-figures.ts';
import type { Contender } from './contender.ts';
import { measureOverhead } from './measure.ts';
import { overheadOfBatch } from './overhead-of-batch.ts';
import { invokeInRounds } from './rounds.ts';

/**
 * Too few for what the figures are for; how they stand beside each other is judged by the bounds of the whole
 * benchmark.
 */
const few = { rounds: 2, messages: 200, warmUpMessages: 200 };

describe('the overhead of a batch', () => {
  let overhead: OverheadOfBatch;

  beforeAll(async () => {
    overhead = await overheadOfBatch(10, few);
  }, 60_000);

  it('is some for every contender', () => {
    expect(Object.keys(overhead)).toHaveLength(12);
    expect(Math.min(...Object.values(overhead))).toBeGreaterThan(0);
  });

  it('allocates more for more work', () => {
    expect(overhead.sagaboxAllocatedBytes).toBeGreaterThan(overhead.middyAllocatedBytes);
    expect(overhead.powertoolsAllocatedBytes).toBeGreaterThan(overhead.middyAllocatedBytes);
    expect(overhead.sagaboxSagaAllocatedBytes).toBeGreaterThan(overhead.sagaboxAllocatedBytes);
  });
});

describe('rounds of invocations', () => {
  function contenderThat(name: string, invoke: (records: number) => void): Contender {
    return {
      name,
      start: () => async (event) => {
        invoke(event.Records.length);
        return { batchItemFailures: [] };
      },
    };
  }

  it('are for as many messages of each contender, and each comes first as often as last', async () => {
    const invoked: string[] = [];
    const contenders = ['a', 'b', 'c'].map((name) =>
      contenderThat(name, (records) => {
        expect(records).toBe(5);
        invoked.push(name);
      }),
    );
    await invokeInRounds(contenders, 5, { rounds: 2, messages: 100, warmUpMessages: 10 });
    const warmUp = ['a', 'b', 'c'];
    // The last of the first round is the first of the second.
    const rounds = ['a', 'b', 'c', 'b', 'a'];
    expect(invoked.filter((name, index) => name !== invoked[index - 1])).toEqual([...warmUp, ...rounds]);
    for (const name of warmUp) {
      const invocations = invoked.filter((one) => one === name).length;
      // The warm-up and each round have up to three more, which are not measured.
      expect(invocations).toBeGreaterThanOrEqual(2 + 20 + 20);
      expect(invocations).toBeLessThanOrEqual(5 + 23 + 23);
    }
  });

  it('tell what few invocations take in the mean, and not in the median', async () => {
    let invocations = 0;
    const seldomSlow = contenderThat('seldom slow', () => {
      invocations += 1;
      if (invocations % 50 === 0) spinFor(50);
    });
    const [seen] = await invokeInRounds([seldomSlow], 1, { rounds: 2, messages: 100, warmUpMessages: 10 });
    expect(seen?.meanMicros).toBeGreaterThanOrEqual(1000);
    expect(seen?.micros).toBeLessThan(1000);
  });
});

describe('a measurement of the overhead', () => {
  it('ends when it is interrupted', async () => {
    const interruption = new AbortController();
    const lines: string[] = [];
    const measuring = measureOverhead({
      depth: 'full',
      signal: interruption.signal,
      progress: (line) => {
        lines.push(line);
        interruption.abort();
      },
    });
    await expect(measuring).rejects.toMatchObject({ name: 'AbortError' });
    expect(lines).toHaveLength(1);
  });
});

function spinFor(durationMs: number): void {
  const end = performance.now() + durationMs;
  while (performance.now() < end);
}

import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Figures } from '../benchmark/figures.ts';
import { contenders, type StartContender } from './contenders.ts';
import { measureOverhead } from './measure.ts';
import { invokeInRounds } from './rounds.ts';

/** Too few to compare contenders: the bounds of the whole benchmark do that. */
const few = { rounds: 2, messages: 200, warmUpMessages: 200 };

function contenderThat(invoke: (records: number) => void): StartContender {
  return () => async (event) => {
    invoke(event.Records.length);
    return { batchItemFailures: [] };
  };
}

describe('the overhead of a batch', () => {
  let overhead: Figures['overhead']['batch10'];

  beforeAll(async () => {
    overhead = await invokeInRounds(contenders, 10, few);
  });

  it('is some for every contender', () => {
    expect(Object.keys(overhead)).toEqual(['sagabox', 'sagaboxSaga', 'powertools', 'middy']);
    for (const figures of Object.values(overhead)) {
      expect(Object.values(figures)).toHaveLength(3);
      expect(Math.min(...Object.values(figures))).toBeGreaterThan(0);
    }
  });

  it('allocates more for more work', () => {
    const { sagabox, sagaboxSaga, powertools, middy } = overhead;
    expect(sagabox.allocatedBytes).toBeGreaterThan(middy.allocatedBytes);
    expect(powertools.allocatedBytes).toBeGreaterThan(middy.allocatedBytes);
    expect(sagaboxSaga.allocatedBytes).toBeGreaterThan(sagabox.allocatedBytes);
  });
});

describe('rounds of invocations', () => {
  it('are for as many messages of each contender, after a warm-up of each', async () => {
    const invoked: string[] = [];
    const invoking = (name: string) =>
      contenderThat((records) => {
        expect(records).toBe(5);
        invoked.push(name);
      });
    const settings = { rounds: 2, messages: 100, warmUpMessages: 10 };
    await invokeInRounds({ a: invoking('a'), b: invoking('b') }, 5, settings);
    const order = invoked.filter((name, index) => name !== invoked[index - 1]);
    // The last of the first round is the first of the second.
    expect(order).toEqual(['a', 'b', 'a', 'b', 'a']);
    for (const name of ['a', 'b']) {
      const invocations = invoked.filter((one) => one === name).length;
      // The warm-up and each round have up to three more, which are not measured.
      expect(invocations).toBeGreaterThanOrEqual(2 + 20 + 20);
      expect(invocations).toBeLessThanOrEqual(5 + 23 + 23);
    }
  });

  it('show in the mean what few invocations take, and not in the median', async () => {
    let invocations = 0;
    const seldomSlow = contenderThat(() => {
      invocations += 1;
      if (invocations % 50 === 0) spinFor(50);
    });
    const settings = { rounds: 2, messages: 100, warmUpMessages: 10 };
    const { slow } = await invokeInRounds({ slow: seldomSlow }, 1, settings);
    expect(slow.meanMicros).toBeGreaterThanOrEqual(1000);
    expect(slow.medianMicros).toBeLessThan(1000);
  });
});

describe('rounds that another process slows', () => {
  it('do not raise the median, which is that of the fastest round', async () => {
    let invocations = 0;
    const slowedAtFirst = contenderThat(() => {
      invocations += 1;
      // Two of three rounds, and all before them.
      if (invocations <= 60) spinFor(2);
    });
    const settings = { rounds: 3, messages: 20, warmUpMessages: 10 };
    const { slowed } = await invokeInRounds({ slowed: slowedAtFirst }, 1, settings);
    expect(slowed.medianMicros).toBeLessThan(1000);
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

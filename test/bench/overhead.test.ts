import { beforeAll, describe, expect, it } from '@jest/globals';
import type { OverheadFigures, OverheadOfBatch } from '../../bench/benchmark-figures.ts';
import { measureOverhead } from '../../bench/overhead/measure.ts';

const never = new AbortController().signal;

/** Recorded: 0.90 and 1.10 of the time, 1.33 and 1.59 of the allocations; medians, which other work hardly disturbs. */
const bounds = {
  batch10: { time: 1.25, allocated: 1.5 },
  batch1: { time: 1.5, allocated: 1.8 },
} as const;

describe('the overhead', () => {
  let figures: OverheadFigures;

  beforeAll(async () => {
    figures = await measureOverhead({ depth: 'short', signal: never, progress: () => {} });
  }, 60_000);

  it.each(['batch1', 'batch10'] as const)('of %s is no more than it was beside Powertools', (batch) => {
    const { sagaboxMicros, powertoolsMicros, sagaboxAllocatedBytes, powertoolsAllocatedBytes } =
      figures[batch];
    expect(sagaboxMicros / powertoolsMicros).toBeLessThan(bounds[batch].time);
    expect(sagaboxAllocatedBytes / powertoolsAllocatedBytes).toBeLessThan(bounds[batch].allocated);
  });

  it.each(['batch1', 'batch10'] as const)('of %s tells more from less work', (batch) => {
    const of = figures[batch];
    const byWork: (keyof OverheadOfBatch)[] = ['middyMicros', 'sagaboxMicros', 'sagaboxSagaMicros'];
    const allocations: (keyof OverheadOfBatch)[] = [
      'middyAllocatedBytes',
      'sagaboxAllocatedBytes',
      'sagaboxSagaAllocatedBytes',
    ];
    for (const keys of [byWork, allocations]) {
      const values = keys.map((key) => of[key]);
      expect(values).toEqual(values.toSorted((a, b) => a - b));
      expect(values[0]).toBeGreaterThan(0);
    }
  });

  it('of 10 messages is less than ten times that of one', () => {
    expect(figures.batch10.sagaboxMicros).toBeLessThan(10 * figures.batch1.sagaboxMicros);
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

import { describe, expect, it } from '@jest/globals';
import { recordedFile } from '../report/page.ts';
import { conditions } from './conditions.ts';
import { inTurns, mediansOf } from './in-turns.ts';
import { type BenchRun, measureParts } from './measure-parts.ts';
import { type BenchmarkRecord, readRecord } from './record.ts';

const { figures, ...recorded } = await readRecord(recordedFile);
const { cost, coldLoad } = figures;
if (cost === undefined || coldLoad === undefined) throw new Error('The recorded figures are not complete');
const { date, machine, versions } = recorded;
type Parts = NonNullable<Parameters<typeof measureParts>[4]>;

async function measured(changed: Partial<Parts>, run?: Partial<BenchRun>) {
  const progress: string[] = [];
  const written: BenchmarkRecord[] = [];
  const { signal } = new AbortController();
  const outcome = await measureParts(
    Object.keys(changed) as (keyof Parts)[],
    { depth: 'short', signal, progress: (line) => progress.push(line), ...run },
    { date, machine, versions },
    async (record) => void written.push(record),
    changed as Parts,
  ).catch((error: Error) => error);
  return { outcome, progress, written };
}

describe('a run of the benchmark', () => {
  it('measures one part after another, and reports all figures after each', async () => {
    let running = 0;
    const alone = async <T>(ofPart: T) => {
      running += 1;
      expect(running).toBe(1);
      await new Promise(setImmediate);
      running -= 1;
      return ofPart;
    };
    const { outcome, progress, written } = await measured({
      cost: () => alone(cost),
      coldLoad: () => alone(coldLoad),
    });
    const first = { date, machine, versions, depth: 'short', figures: { cost } };
    expect(written).toEqual([first, { ...first, figures: { cost, coldLoad } }]);
    expect(outcome).toEqual(written[1]);
    expect(progress).toEqual(['Measuring cost ...', 'Measuring coldLoad ...']);
  });

  it('keeps what was measured before a part that fails', async () => {
    const { outcome, written } = await measured({
      cost: async () => cost,
      growth: () => Promise.reject(new Error('the engine is gone')),
    });
    expect(outcome).toEqual(new Error('the engine is gone'));
    expect(written).toEqual([expect.objectContaining({ figures: { cost } })]);
  });

  it('refuses a figure that is none', async () => {
    const { outcome, written } = await measured({
      coldLoad: async () => ({ ...coldLoad, rounds: Number.NaN }),
    });
    expect(String(outcome)).toMatch(
      /The measurement of coldLoad does not hold figures[\s\S]*coldLoad\.rounds/,
    );
    expect(written).toEqual([]);
  });

  it('starts no part once it is interrupted', async () => {
    const interrupted = AbortSignal.abort(new Error('enough'));
    const { outcome, progress } = await measured({ cost: async () => cost }, { signal: interrupted });
    expect([outcome, progress]).toEqual([new Error('enough'), []]);
  });
});

describe('contenders in turns', () => {
  it('run once in each round, each as often before the others as behind them', async () => {
    const order: string[] = [];
    const results = await inTurns(['a', 'b', 'c'], 2, async (name, round) => {
      order.push(name);
      return `${name}${round}`;
    });
    expect(order.join('')).toBe('abccba');
    expect(results).toEqual({ a: ['a0', 'a1'], b: ['b0', 'b1'], c: ['c0', 'c1'] });
  });

  it('have the median of each figure', () => {
    const rounds = [3, 100, 4].map((conflicts, seconds) => ({ conflicts, seconds }));
    expect(mediansOf(rounds)).toEqual({ conflicts: 4, seconds: 1 });
  });
});

describe('the conditions of a run', () => {
  it('are the machine, the versions and the date', async () => {
    const now = await conditions();
    expect(now.date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(now.machine.cores).toBeGreaterThan(0);
    expect(now.machine.memoryGB).toBeGreaterThan(0);
    expect(now.versions.node).toBe(process.versions.node);
    expect(Object.keys(now.versions)).toEqual(Object.keys(versions));
    for (const version of Object.values(now.versions)) expect(version).toMatch(/\d+\.\d+\.\d+/);
  });
});

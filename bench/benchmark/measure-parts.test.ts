import { describe, expect, it } from '@jest/globals';
import type { BenchRun } from './bench-run.ts';
import { conditions } from './conditions.ts';
import { measureParts } from './measure-parts.ts';
import { type PartName, parts } from './parts.ts';
import type { BenchmarkRecord } from './record.ts';
import { sampleRecord } from './sample-record.ts';

const { date, machine, versions, cost, coldLoadMs } = sampleRecord;

async function measured(names: readonly PartName[], changed: Partial<typeof parts>, run?: Partial<BenchRun>) {
  const told: string[] = [];
  const written: BenchmarkRecord[] = [];
  const { signal } = new AbortController();
  const given: BenchRun = { depth: 'short', signal, progress: (line) => told.push(line), ...run };
  const ended = measureParts(
    names,
    given,
    { date, machine, versions },
    async (record) => void written.push(record),
    { ...parts, ...changed },
  );
  const outcome = await ended.catch((error: Error) => error);
  return { outcome, told, written };
}

describe('a run of the benchmark', () => {
  it('measures one part after another, and tells all figures after each', async () => {
    let running = 0;
    const alone = async <T>(figures: T) => {
      running += 1;
      expect(running).toBe(1);
      await new Promise(setImmediate);
      running -= 1;
      return figures;
    };
    const { outcome, told, written } = await measured(['cost', 'coldLoad'], {
      cost: () => alone({ cost }),
      coldLoad: () => alone({ coldLoadMs }),
    });
    const first = { date, machine, versions, depth: 'short', cost };
    expect(written).toEqual([first, { ...first, coldLoadMs }]);
    expect(outcome).toEqual(written[1]);
    expect(told).toEqual(['Measuring cost ...', 'Measuring coldLoad ...']);
  });

  it('keeps what was measured before a part that fails', async () => {
    const { outcome, written } = await measured(['cost', 'growth'], {
      cost: async () => ({ cost }),
      growth: () => Promise.reject(new Error('the engine is gone')),
    });
    expect(outcome).toEqual(new Error('the engine is gone'));
    expect(written).toEqual([expect.objectContaining({ cost })]);
  });

  it('takes no figure that is none', async () => {
    const { outcome, written } = await measured(['coldLoad'], {
      coldLoad: async () => ({ coldLoadMs: { ...coldLoadMs, sagabox: Number.NaN } }),
    });
    expect(String(outcome)).toMatch(
      /The measurement of coldLoad does not hold figures[\s\S]*coldLoadMs\.sagabox/,
    );
    expect(written).toEqual([]);
  });

  it('starts no part once it is to end', async () => {
    const interrupted = AbortSignal.abort(new Error('enough'));
    const { outcome, told } = await measured(['cost'], {}, { signal: interrupted });
    expect([outcome, told]).toEqual([new Error('enough'), []]);
  });
});

describe('the conditions of a run', () => {
  it('are the machine, the versions and the date', async () => {
    const now = await conditions();
    expect(now.date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
    expect(now.machine.cores).toBeGreaterThan(0);
    expect(now.machine.memoryGB).toBeGreaterThan(0);
    expect(now.versions).toMatchObject({
      node: process.versions.node,
      sagabox: expect.stringMatching(/^\d+\.\d+\.\d+/),
      '@aws-lambda-powertools/batch': expect.stringMatching(/^\d+\.\d+\.\d+/),
      '@aws-lambda-powertools/idempotency': expect.stringMatching(/^\d+\.\d+\.\d+/),
      '@middy/core': expect.stringMatching(/^\d+\.\d+\.\d+/),
      '@aws-sdk/client-dynamodb': expect.stringMatching(/^\d+\.\d+\.\d+/),
      'DynamoDB engine': expect.stringMatching(/\w/),
    });
  });
});

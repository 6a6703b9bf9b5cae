import { readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { temporaryDirectory } from '../../test/support/temporary-directory.ts';
import { BenchProcess, expectInterruptible, expectRefusal } from '../bench-process.ts';
import { recordSchema } from './record.ts';
import { keepRecord, readRecord } from './record-file.ts';
import { sampleRecord } from './sample-record.ts';

const benchmarks = new BenchProcess('bench.ts');
const inDirectory = temporaryDirectory();

async function fileOf(name: string, content: unknown): Promise<string> {
  const file = inDirectory(name);
  await writeFile(file, JSON.stringify(content));
  return file;
}

describe('npm run bench', () => {
  // All parts, of which some compare times, are measured by .ci/run when nothing else runs.
  it('measures in a short form, writes the figures, and meets every recorded bound', async () => {
    const file = inDirectory('short.json');
    const { stdout, stderr } = await benchmarks
      .run('--short', '--only', 'cost,bundle', '--json', file)
      .catch((error) => error);
    expect(stdout).toMatch(/\n\d+ bounds checked\n\nOK\n/);
    expect(stderr).toContain('Measuring cost');
    const written = JSON.parse(await readFile(file, 'utf8'));
    const record = recordSchema.parse(written);
    expect(record).toEqual(written);
    expect(record.depth).toBe('short');
    expect(Object.keys(record.cost ?? {})).toEqual(
      expect.arrayContaining(['N=0', 'N=1', 'N=3', 'N=10', 'batch10', 'discard']),
    );
  }, 120_000);

  it('measures the parts that are asked for', async () => {
    const file = inDirectory('bundle.json');
    await benchmarks.run('--short', '--only', 'bundle', '--json', file);
    const { bundle, ...others } = JSON.parse(await readFile(file, 'utf8'));
    expect(bundle.sagaboxKB).toBeGreaterThan(0);
    expect(Object.keys(others).sort()).toEqual(['date', 'depth', 'machine', 'versions']);
  });

  it('exits with 1 when a bound is not met, though every goal is reached', async () => {
    const { contention } = sampleRecord;
    const optimistic = { ...contention.optimistic, appliedTwice: 1 };
    const worse = { ...sampleRecord, contention: { ...contention, optimistic } };
    const error = await benchmarks.run('--from', await fileOf('worse.json', worse)).catch((failed) => failed);
    expect(error.code).toBe(1);
    expect(error.stdout).toContain('FAILED Messages that were applied twice');
    expect(error.stdout).not.toContain('NOT REACHED');
  });

  it('exits with 0 when a goal is not reached, and no bound is worse', async () => {
    const { date, depth, machine, versions, throughput } = sampleRecord;
    const slow = { ...throughput, 1: { sagabox: 149, itemized: 100, ratio: 1.49 } };
    const file = await fileOf('slow.json', { date, depth, machine, versions, throughput: slow });
    expect((await benchmarks.run('--from', file)).stdout).toMatch(/NOT REACHED[\s\S]*\nOK\n$/);
  });

  it.each([
    ['that is cut', '{"date":', /JSON/],
    ['of something else', '{"date":"2026-01-31","speed":1}', /does not hold figures[\s\S]*speed/],
    ['with a figure that is none', JSON.stringify({ ...sampleRecord, coldLoadMs: null }), /coldLoadMs/],
  ])('takes no file %s', async (_kind, text, problem) => {
    const file = inDirectory('wrong.json');
    await writeFile(file, text);
    await expect(benchmarks.run('--from', file)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringMatching(problem),
    });
  });

  it.each([
    ['--from', /^--from: ENOENT.*\n$/],
    ['--json', /^--json: ENOENT.*\n$/],
  ])('tells of a path that is of no use before it measures: %s', async (option, told) => {
    const failed = await benchmarks.run(option, inDirectory('nowhere', 'bench.json')).catch((error) => error);
    expect(failed).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(told) });
  });

  it('tells where the figures are when no document can be made of them', async () => {
    const file = await fileOf('short-record.json', { ...sampleRecord, depth: 'short' });
    const failed = await benchmarks.run('--from', file, '--docs').catch((error) => error);
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain(`No document was written. The figures are in ${file}, for --from.`);
    expect(failed.stderr).toContain('not of a short one');
  });

  it('keeps figures in a file of their own when no other was named', async () => {
    const file = await keepRecord(sampleRecord);
    expect(await readRecord(file)).toEqual(sampleRecord);
    await rm(dirname(file), { recursive: true });
  });

  it('leaves what a file holds until there are figures to put in its place', async () => {
    const file = await fileOf('kept.json', 'earlier figures');
    expect(await benchmarks.interrupt('--only', 'cost', '--json', file)).toMatchObject({ exitCode: 130 });
    expect(JSON.parse(await readFile(file, 'utf8'))).toBe('earlier figures');
  }, 60_000);

  it('ends early when it is interrupted', () => expectInterruptible(benchmarks, '--only', 'cost'), 60_000);

  it('explains itself', async () => {
    expect((await benchmarks.run('--help')).stdout).toContain('--only LIST');
  });

  it('refuses what it does not understand with a reason and exit code 2', () =>
    expectRefusal(benchmarks, '--only', 'speed'));
});

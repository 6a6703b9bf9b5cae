import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { recordSchema } from '../../bench/benchmark/record-schema.ts';
import { bounds } from '../../bench/limits/bounds.ts';
import { repository } from '../support/source-files.ts';
import { sampleRecord } from './sample-record.ts';

const script = ['--conditions=sagabox-source', '--expose-gc', join('bench', 'bench.ts')];
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sagabox-bench-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** On the DynamoDB engine of this test run. */
function processOptions() {
  const env = { ...process.env, SAGABOX_DYNAMODB_ENDPOINT: process.env.SAGABOX_TEST_DYNAMODB_ENDPOINT };
  return { cwd: repository, env };
}

async function bench(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return await promisify(execFile)(process.execPath, [...script, ...args], processOptions());
}

async function fileOf(name: string, content: unknown): Promise<string> {
  const file = join(directory, name);
  await writeFile(file, JSON.stringify(content));
  return file;
}

describe('npm run bench', () => {
  it('measures all parts in a short form, writes their figures, and meets every recorded bound', async () => {
    const file = join(directory, 'short.json');
    const { stdout, stderr } = await bench('--short', '--json', file).catch((error) => error);
    expect(stdout).toContain(`\n${Object.keys(bounds).length} bounds checked\nOK\n`);
    expect(stderr).toContain('Measuring cost');
    const written = JSON.parse(await readFile(file, 'utf8'));
    const record = recordSchema.required().parse(written);
    expect(record).toEqual(written);
    expect(record.depth).toBe('short');
  }, 240_000);

  it('measures the parts that are asked for', async () => {
    const file = join(directory, 'bundle.json');
    await bench('--short', '--only', 'bundle', '--json', file);
    const { bundle, ...others } = JSON.parse(await readFile(file, 'utf8'));
    expect(bundle.sagaboxKB).toBeGreaterThan(0);
    expect(Object.keys(others).sort()).toEqual(['date', 'depth', 'machine', 'versions']);
  });

  it('exits with 1 when a bound is not met, though every goal is reached', async () => {
    const { contention } = sampleRecord;
    const optimistic = { ...contention.optimistic, appliedTwice: 1 };
    const worse = { ...sampleRecord, contention: { ...contention, optimistic } };
    const error = await bench('--from', await fileOf('worse.json', worse)).catch((error) => error);
    expect(error.code).toBe(1);
    expect(error.stdout).toContain('FAILED Messages that were applied twice');
    expect(error.stdout).not.toContain('NOT REACHED');
  });

  it('exits with 0 when a goal is not reached, and no bound is worse', async () => {
    const { date, depth, machine, versions, throughput } = sampleRecord;
    const slow = { ...throughput, 1: { sagabox: 149, itemized: 100, ratio: 1.49 } };
    const file = await fileOf('slow.json', { date, depth, machine, versions, throughput: slow });
    expect((await bench('--from', file)).stdout).toMatch(/NOT REACHED[\s\S]*\nOK\n$/);
  });

  it.each([
    ['that is cut', '{"date":', /JSON/],
    ['of something else', '{"date":"2026-01-31","speed":1}', /does not hold figures[\s\S]*speed/],
    ['with a figure that is none', JSON.stringify({ ...sampleRecord, coldLoadMs: null }), /coldLoadMs/],
  ])('takes no file %s', async (_kind, text, problem) => {
    const file = join(directory, 'wrong.json');
    await writeFile(file, text);
    await expect(bench('--from', file)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(problem),
    });
  });

  it('ends early when it is interrupted', async () => {
    const running = spawn(process.execPath, [...script, '--only', 'cost'], {
      ...processOptions(),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(running, 'exit');
    const said: string[] = [];
    running.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text));
    await once(running.stderr, 'data');
    running.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
    expect(said.join('')).toContain('Interrupted');
  }, 60_000);

  it('explains itself', async () => {
    expect((await bench('--help')).stdout).toContain('--only LIST');
  });

  it('refuses what it does not understand with a reason and exit code 2', async () => {
    await expect(bench('--only', 'speed')).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Usage:'),
    });
  });
});

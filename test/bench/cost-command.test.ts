import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cases } from '../../bench/cost/figures.ts';
import { BenchProcess } from './bench-process.ts';

const measurement = new BenchProcess('cost.ts');
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sagabox-cost-'));
});
afterAll(() => rm(directory, { recursive: true }));

describe('the command line of the cost measurement', () => {
  it('prints a table, and writes the figures', async () => {
    const file = join(directory, 'cost.json');
    const load = ['--messages', '1', '--batches', '1', '--seed', '5'];
    const { stdout, stderr } = await measurement.run(...load, '--json', file);
    expect(stderr).toContain('Starting DynamoDB');
    expect(stdout).toMatch(/^N=10 +4 +4 +6 /m);
    expect(stdout).toMatch(/\bOK\n$/);
    const figures = { calls: expect.any(Number), rcu: expect.any(Number), wcu: expect.any(Number) };
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(
      Object.fromEntries(cases.map((name) => [name, { sagabox: figures, itemized: figures }])),
    );
  }, 60_000);

  it('ends early when it is interrupted', async () => {
    expect(await measurement.interrupt('--messages', '1000')).toEqual({
      exitCode: 130,
      stderr: expect.stringContaining('Interrupted'),
    });
  }, 60_000);

  it('tells of a file that cannot be written to before it measures, with exit code 2', async () => {
    const failed = await measurement
      .run('--json', join(directory, 'nowhere', 'cost.json'))
      .catch((error) => error);
    expect(failed).toMatchObject({ code: 2, stdout: '' });
    expect(failed.stderr).toMatch(/^--json: ENOENT.*\n$/);
  });

  it('explains itself', async () => {
    expect((await measurement.run('--help')).stdout).toContain('--json FILE');
  });

  it.each([
    [['--messages', '0']],
    [['--messages', '1001']],
    [['--batches', '0']],
    [['--batches', '101']],
    [['--seed', '-1']],
    [['--seed', '4294967296']],
    [['--seed', 'x']],
    [['--json=']],
    [['--nope']],
    [['extra']],
  ])('refuses %j with a reason and exit code 2', async (args) => {
    await expect(measurement.run(...args)).rejects.toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Usage:'),
    });
  });
});

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cases } from '../../bench/cost/figures.ts';
import { repository } from '../support/source-files.ts';

const script = ['--conditions=sagabox-source', join('bench', 'cost.ts')];
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sagabox-cost-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** On the DynamoDB engine of this test run. */
function processOptions() {
  const env = { ...process.env, SAGABOX_DYNAMODB_ENDPOINT: process.env.SAGABOX_TEST_DYNAMODB_ENDPOINT };
  return { cwd: repository, env };
}

async function cost(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return await promisify(execFile)(process.execPath, [...script, ...args], processOptions());
}

describe('the command line of the cost measurement', () => {
  it('prints a table, and writes the figures', async () => {
    const file = join(directory, 'cost.json');
    const { stdout, stderr } = await cost('--messages', '1', '--batches', '1', '--seed', '5', '--json', file);
    expect(stderr).toContain('Starting DynamoDB Local');
    expect(stdout).toMatch(/^N=10 +4 +4 +6 /m);
    expect(stdout).toMatch(/\bOK\n$/);
    const figures = { calls: expect.any(Number), rcu: expect.any(Number), wcu: expect.any(Number) };
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(
      Object.fromEntries(cases.map((name) => [name, { sagabox: figures, itemized: figures }])),
    );
  }, 60_000);

  it('ends early when it is interrupted', async () => {
    const running = spawn(process.execPath, [...script, '--messages', '1000'], {
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

  it('tells of a file that cannot be written to before it measures, with exit code 2', async () => {
    const failed = await cost('--json', join(directory, 'nowhere', 'cost.json')).catch((error) => error);
    expect(failed).toMatchObject({ code: 2, stdout: '' });
    expect(failed.stderr).toMatch(/^--json: ENOENT.*\n$/);
  });

  it('explains itself', async () => {
    expect((await cost('--help')).stdout).toContain('--json FILE');
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
    await expect(cost(...args)).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('Usage:') });
  });
});

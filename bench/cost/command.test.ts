import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { temporaryDirectory } from '../../test/support/temporary-directory.ts';
import { BenchProcess, expectInterruptible, expectRefusal } from '../bench-process.ts';
import { cases } from './figures.ts';
import { readCommand } from './options.ts';

const measurement = new BenchProcess('cost.ts');
const inDirectory = temporaryDirectory();

describe('the command line of the cost measurement', () => {
  it('prints a table, and writes the figures', async () => {
    const file = inDirectory('cost.json');
    const load = ['--messages', '1', '--batches', '1', '--seed', '5'];
    const { stdout, stderr } = await measurement.run(...load, '--json', file);
    expect(stderr).toContain('Starting DynamoDB');
    expect(stdout).toMatch(/^N=10 +4 +4 +6 /m);
    expect(stdout).toMatch(/\bOK\n$/);
    const units = { calls: expect.any(Number), rcu: expect.any(Number), wcu: expect.any(Number) };
    expect(JSON.parse(await readFile(file, 'utf8'))).toEqual(
      Object.fromEntries(cases.map((name) => [name, { sagabox: units, itemized: units }])),
    );
  }, 60_000);

  it(
    'ends early when it is interrupted',
    () => expectInterruptible(measurement, '--messages', '1000'),
    60_000,
  );

  it('refuses an unusable file before it measures, with exit code 2', async () => {
    const failed = await measurement
      .run('--json', inDirectory('nowhere', 'cost.json'))
      .catch((error) => error);
    expect(failed).toMatchObject({ code: 2, stdout: '' });
    expect(failed.stderr).toMatch(/^--json: ENOENT.*\n$/);
  });

  it('explains itself', async () => {
    expect((await measurement.run('--help')).stdout).toContain('--json FILE');
  });

  const refused =
    '--messages 0|--messages 1001|--batches 0|--batches 101|--seed=-1|--seed 4294967296|--seed x|--json=|--nope|extra';
  it.each(refused.split('|'))('refuses %j with a reason', (line) => {
    expect(readCommand(line.split(' '))).toEqual({ refused: expect.stringMatching(/\S/) });
  });

  it('refuses a wrong option with exit code 2', () => expectRefusal(measurement, '--nope'));
});

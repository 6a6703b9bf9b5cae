import { describe, expect, it } from '@jest/globals';
import { runsOfScript } from '../test/support/page-blocks.ts';
import { temporaryDirectory } from '../test/support/temporary-directory.ts';
import { BenchProcess } from './bench-process.ts';
import { readCommand as readBench } from './benchmark/options.ts';
import { readCommand as readBooking } from './booking/options.ts';
import { readCommand as readContention } from './contention/options.ts';
import { readCommand as readCost } from './cost/options.ts';
import { readCommand as readHouse } from './house/options.ts';
import { readCommand as readScatterGather } from './scatter-gather/options.ts';

const inDirectory = temporaryDirectory();

describe.each([
  {
    script: 'bench.ts',
    read: readBench,
    options: ['--only', '--short', '--json', '--docs', '--from'],
    refused: '--only speed|--only|--only cost,|--json=|--from=|--docs --short|--nope|extra',
  },
  {
    script: 'booking.ts',
    read: readBooking,
    options: ['--trips', '--kills', '--timeout', '--seed', '--json'],
    refused: '--trips 0|--trips 5001|--kills=-1|--kills 1001|--timeout 0|--timeout 61|--json=|--nope|extra',
  },
  {
    script: 'cost.ts',
    read: readCost,
    options: ['--messages', '--batches', '--seed', '--json'],
    refused:
      '--messages 0|--messages 1001|--batches 0|--batches 101|--seed=-1|--seed 4294967296|--seed x|--json=|--nope|extra',
  },
  {
    script: 'house.ts',
    read: readHouse,
    options: ['--test', '--json'],
    refused: '--json=|--test=yes|--nope|extra',
  },
  {
    script: 'contention.ts',
    read: readContention,
    options: ['--mode', '--messages', '--workers', '--json'],
    refused:
      '--mode blind|--mode|--messages 0|--messages 5001|--workers 0|--workers 33|--workers x|--json=|--nope|extra',
  },
  {
    script: 'scatter-gather.ts',
    read: readScatterGather,
    options: [
      '--requests',
      '--workers',
      '--outbox',
      '--kills',
      '--duplicates',
      '--width',
      '--seed',
      '--docs',
    ],
    refused:
      '--requests 0|--requests 10001|--workers 0|--workers 33|--outbox both|--kills 1001|--duplicates 101|--width 1|--width 1001|--seed=-1|--nope|extra',
  },
])('the command line of $script', ({ script, read, options, refused }) => {
  const command = new BenchProcess(script);

  it('explains itself', async () => {
    const { stdout } = await command.run('--help');
    for (const option of [...options, '--help']) expect(stdout).toContain(`  ${option} `);
  });

  it.each(refused.split('|'))('refuses %j with a reason', (line) => {
    expect(read(line.split(' '))).toEqual({ refused: expect.stringMatching(/\S/) });
  });

  it.each(runsOfScript(script.replace('.ts', '')))('takes what pages give it: %s', (_place, args) => {
    expect(read(args)).not.toHaveProperty('refused');
  });

  it('explains itself when it refuses an option, with exit code 2', async () => {
    const stderr = expect.stringContaining('Usage:');
    await expect(command.run('--nope')).rejects.toMatchObject({ code: 2, stderr });
  });
});

describe.each([['bench.ts', '--only', 'cost'], ['cost.ts', '--messages', '1000'], ['house.ts']])(
  'a long run of %s',
  (script, ...args) => {
    const command = new BenchProcess(script);

    it('ends early when it is interrupted', async () => {
      const stderr = expect.stringContaining('Interrupted');
      expect(await command.interrupt(...args)).toEqual({ exitCode: 130, stderr });
    });

    it('does not begin if the file of its figures is unusable, with exit code 2', async () => {
      const failed = await command
        .run(...args, '--json', inDirectory('nowhere', 'a.json'))
        .catch((error) => error);
      expect(failed).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/^--json: ENOENT.*\n$/),
      });
    });
  },
);

import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';
import { temporaryDirectory } from '../../test/support/temporary-directory.ts';
import { BenchProcess, expectRefusal } from '../bench-process.ts';
import { readCommand } from './options.ts';

const messages = 12;
const workers = 2;
const contention = new BenchProcess('contention.ts');
const inDirectory = temporaryDirectory();

async function figuresOf(mode: string) {
  const file = inDirectory(`${mode}.json`);
  const load = ['--messages', String(messages), '--workers', String(workers)];
  // The exit code tells of seconds too, which say nothing of a load this small beside other tests.
  const { stdout } = await contention
    .run('--mode', mode, ...load, '--json', file)
    .catch((error: { stdout: string }) => error);
  return { figures: JSON.parse(await readFile(file, 'utf8')), stdout };
}

const cost = {
  wcuPerMessage: expect.any(Number),
  refusedWcuPerMessage: expect.any(Number),
  seconds: expect.any(Number),
};
const appliedOnce = (mode: string) => ({
  mode,
  engine: expect.stringMatching(/\w/),
  messages,
  applied: messages,
  appliedTwice: 0,
  deadLettered: 0,
  conflicts: expect.any(Number),
  refusedLockAttempts: expect.any(Number),
  rcuPerMessage: expect.any(Number),
  ...cost,
});

describe('the contention benchmark', () => {
  it.each(['optimistic', 'eventual'])(
    'applies every message once in %s mode, with fewer conflicts than a retry loop without jitter',
    async (mode) => {
      const { figures, stdout } = await figuresOf(mode);
      expect(figures).toEqual({
        ...appliedOnce(mode),
        refusedLockAttempts: 0,
        retryWithoutJitter: { conflicts: expect.any(Number), ...cost },
      });
      // Two for the saga and two for the record, and as much again for each conflict.
      const { retryWithoutJitter: peer } = figures;
      for (const { wcuPerMessage, refusedWcuPerMessage, conflicts } of [figures, peer]) {
        expect(wcuPerMessage).toBe(4);
        expect(refusedWcuPerMessage).toBeCloseTo((4 * conflicts) / messages, 5);
      }
      expect(peer.conflicts).toBeGreaterThan(figures.conflicts);
      expect(stdout).toContain('without jitter');
      expect(stdout).toContain('OK');
    },
    120_000,
  );

  it('applies every message once in pessimistic mode, with fewer attempts than a blind spin', async () => {
    const { figures, stdout } = await figuresOf('pessimistic');
    expect(figures).toEqual({
      ...appliedOnce('pessimistic'),
      conflicts: 0,
      blindSpin: { refusedLockAttempts: expect.any(Number), ...cost },
    });
    const { refusedLockAttempts, wcuPerMessage, refusedWcuPerMessage, blindSpin } = figures;
    expect(refusedLockAttempts).toBeLessThan(blindSpin.refusedLockAttempts);
    // The commit and the attempt that succeeded, and those that did not.
    expect(wcuPerMessage).toBe(5);
    expect(refusedWcuPerMessage).toBeCloseTo(refusedLockAttempts / messages, 5);
    expect(blindSpin.refusedWcuPerMessage).toBeGreaterThan(refusedWcuPerMessage);
    expect(stdout).toContain('blind spin');
  }, 120_000);
});

describe('the command line of the contention benchmark', () => {
  it('explains itself', async () => {
    const { stdout } = await contention.run('--help');
    expect(stdout).toContain('--mode MODE');
    expect(stdout).toContain('optimistic, eventual, pessimistic');
  });

  const refused =
    '--mode blind|--mode|--messages 0|--messages 5001|--workers 0|--workers 33|--workers x|--json=|--nope|extra';
  it.each(refused.split('|'))('refuses %j with a reason', (line) => {
    expect(readCommand(line.split(' '))).toEqual({ refused: expect.stringMatching(/\S/) });
  });

  it('takes the least and the most of each option', () => {
    const least = readCommand(['--messages', '1', '--workers', '1']);
    expect(least).toMatchObject({ run: { mode: 'pessimistic', messages: 1, workers: 1 } });
    const most = readCommand(['--mode', 'eventual', '--messages', '5000', '--workers', '32']);
    expect(most).toMatchObject({ run: { mode: 'eventual', messages: 5000, workers: 32 } });
  });

  it('tells what it takes when it refuses, with exit code 2', () => expectRefusal(contention, '--nope'));
});

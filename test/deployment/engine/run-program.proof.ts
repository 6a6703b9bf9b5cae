import { readFile } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { isRunning } from '../../support/processes.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { runProgram } from './run-program.ts';

const inDirectory = temporaryDirectory();

it('ends what a program started, too, when it is aborted', async () => {
  const abort = new AbortController();
  const file = inDirectory('pids');
  const run = runProgram('sh', ['-c', `sleep 600 & echo "$$ $!." > '${file}'; wait`], abort);
  const written = () => readFile(file, 'utf8').catch(() => '');
  await waitUntil(async () => (await written()).endsWith('.\n'));
  const pids = (await written()).replace('.', '').split(' ').map(Number);
  expect(pids.map(isRunning)).toEqual([true, true]);
  abort.abort();
  await expect(run).rejects.toThrow('aborted');
  await waitUntil(async () => !pids.some(isRunning));
});

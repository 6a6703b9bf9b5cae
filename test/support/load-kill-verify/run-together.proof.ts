import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { runProgram } from '../../deployment/engine/run-program.ts';
import { isRunning } from '../processes.ts';
import { directoryOfTest } from '../temporary-directory.ts';
import { waitUntil } from '../wait-until.ts';
import { runTogether } from './run-together.ts';

const never = new AbortController().signal;
const inDirectory = directoryOfTest();

describe('programs that run together', () => {
  it('give their results in their order', async () => {
    expect(await runTogether(never, [async () => 1, async () => 'two'])).toEqual([1, 'two']);
  });

  it('are gone when one of them fails, with the error of that one', async () => {
    const file = inDirectory('process-id');
    const processId = () => (existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0);
    const failing = runTogether(never, [
      (signal) => runProgram('sh', ['-c', `echo $$ > "${file}"; exec sleep 600`], { signal }),
      async () => {
        await waitUntil(() => processId() > 0);
        throw new Error('the first failure');
      },
    ]);
    await expect(failing).rejects.toThrow('the first failure');
    expect(isRunning(processId())).toBe(false);
  });

  it('are aborted from outside', async () => {
    const outside = new AbortController();
    const running = runTogether(outside.signal, [
      (signal) => runProgram('sleep', ['600'], { signal }),
      (signal) => runProgram('sleep', ['600'], { signal }),
    ]);
    outside.abort();
    await expect(running).rejects.toThrow('aborted');
  });
});

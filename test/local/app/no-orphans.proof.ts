import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { isListening, isRunning } from '../../support/processes.ts';
import { waitUntil } from '../../support/wait-until.ts';

interface Started {
  readonly processIds: number[];
  readonly endpoints: string[];
}

describe('a local app whose process ends', () => {
  it.each([
    ['SIGTERM', 'hang'],
    ['SIGKILL', 'hang'],
    ['SIGKILL', 'spin'],
  ] as const)('by %s leaves no process and no port behind, of functions that %s', async (signal, fate) => {
    // The folders of an app that is killed stay behind.
    const temporaryDirectory = await mkdtemp(join(tmpdir(), 'sagabox-orphans-test-'));
    const runner = fork(join(import.meta.dirname, '..', 'fixtures', 'runner.ts'), [fate], {
      execArgv: ['--conditions=sagabox-source', '--disable-warning=ExperimentalWarning'],
      env: { ...process.env, TMPDIR: temporaryDirectory },
    });
    const [{ processIds, endpoints }] = (await once(runner, 'message')) as [Started];
    expect(processIds.filter(isRunning)).toHaveLength(1);
    expect(await Promise.all(endpoints.map(isListening))).toEqual([true, true, true]);
    runner.kill(signal);
    await once(runner, 'exit');
    await waitUntil(async () => !(await Promise.all(endpoints.map(isListening))).includes(true));
    await waitUntil(() => !processIds.some(isRunning));
    await rm(temporaryDirectory, { recursive: true, force: true });
  });
});

import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type GuardedProcess, startGuardedProcess } from '../../../lib/local/engines/guarded-process.ts';
import { descendantsOf, isRunning, signalProcess } from '../../support/processes.ts';
import { directoryOfTest } from '../../support/temporary-directory.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { Journal } from './journal.ts';
import { stopEmulator } from './stop-emulator.ts';

// As those of the emulator, they hold none of its streams.
const functions = 'for n in 1 2; do sleep 600 >/dev/null 2>&1 & done; echo $$; wait';

const inDirectory = directoryOfTest();

describe('stopping the emulator', () => {
  let directory: string;
  let program: GuardedProcess;
  let journal: Journal;
  let emulatorId: number;
  let functionIds: number[];

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sagabox-emulator-'));
    program = startGuardedProcess('sh', ['-c', functions], directory);
    journal = await Journal.open(inDirectory('journal'));
    await waitUntil(() => /^\d+\n/.test(program.output()));
    emulatorId = Number(program.output());
    functionIds = descendantsOf(emulatorId);
  });

  afterEach(async () => {
    for (const id of functionIds) signalProcess(id, 'SIGKILL');
    await program.stop();
  });

  it('ends it and its functions, and its folder is gone', async () => {
    expect(functionIds).toHaveLength(2);
    await stopEmulator(program, journal, emulatorId);
    await waitUntil(() => ![emulatorId, ...functionIds].some(isRunning));
    expect(existsSync(directory)).toBe(false);
  });

  it('ends it where its functions cannot be found, and tells that', async () => {
    const stopping = stopEmulator(program, journal, emulatorId, () => {
      throw new Error('spawnSync ps ENOENT');
    });
    await expect(stopping).rejects.toThrow('ps ENOENT');
    expect(isRunning(emulatorId)).toBe(false);
    await expect(journal.look()).rejects.toThrow();
  });

  it('does nothing more where it has ended by itself', async () => {
    signalProcess(emulatorId, 'SIGKILL');
    await program.exited;
    await stopEmulator(program, journal, emulatorId);
  });
});

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';

const MAX_CASE_MS = 1000;

/** What becomes of a process with a case that blocks for so long. */
async function processThatBlocks(blockedMs: number) {
  const environment = { SAGABOX_FUZZ_SEED: '4711', SAGABOX_FUZZ_CASE_MS: String(MAX_CASE_MS) };
  const program = join(import.meta.dirname, 'slow-property.ts');
  const child = spawn(process.execPath, [program, String(blockedMs)], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
    // By SIGTERM, where its watchdog does not.
    timeout: 100_000,
  });
  const [stderr, [exitCode, signal]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { stderr, exitCode, signal };
}

describe('a case of a property', () => {
  it.concurrent('that blocks for longer, and ends, is a failure with its seed', async () => {
    const { stderr, exitCode } = await processThatBlocks(MAX_CASE_MS + 50);
    expect(exitCode).toBe(1);
    expect(stderr).toContain('seed: 4711');
    expect(stderr).toContain('over the 1000 ms of one case');
  });

  it.concurrent('that never ends kills the process, and tells its seed', async () => {
    const { stderr, signal } = await processThatBlocks(Number.POSITIVE_INFINITY);
    expect(signal).toBe('SIGKILL');
    expect(stderr).toContain("'a property': case 1 of seed 4711 did not end in 2000 ms of the processor");
  });
});

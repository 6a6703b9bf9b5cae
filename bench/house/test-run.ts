import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { repository } from '../../test/support/source-files.ts';

export interface TestRun {
  readonly seconds: number;
  /** User and system time of all its processes that have ended. */
  readonly processorSeconds: number;
}

/**
 * Runs a command of a shell once; what it prints goes to stderr.
 *
 * @throws Error if it fails: its time says nothing
 */
export async function timeOf(command: string, signal: AbortSignal): Promise<TestRun> {
  signal.throwIfAborted();
  const started = performance.now();
  // Node knows the times of its own process only; `times` tells those of children in its second line.
  const shell = spawn('sh', ['-c', `(${command}) >&2 && times`], {
    cwd: repository,
    stdio: ['ignore', 'pipe', 'inherit'],
    // A group of its own, which is ended as a whole.
    detached: true,
  });
  const end = () => {
    if (shell.pid !== undefined && shell.exitCode === null) process.kill(-shell.pid, 'SIGTERM');
  };
  signal.addEventListener('abort', end);
  try {
    const [written, [exitCode]] = await Promise.all([text(shell.stdout), once(shell, 'close')]);
    signal.throwIfAborted();
    if (exitCode !== 0) throw new Error(`'${command}' failed with exit code ${exitCode}`);
    return { seconds: (performance.now() - started) / 1000, processorSeconds: processorSecondsIn(written) };
  } finally {
    signal.removeEventListener('abort', end);
  }
}

/** @param times '0m0.01s 0m0.00s', and in the next line '16m2.50s 0m31.02s' */
export function processorSecondsIn(times: string): number {
  const [, children = ''] = times.trim().split('\n');
  const parts = [...children.matchAll(/(\d+)m([\d.]+)s/g)];
  if (parts.length !== 2) throw new Error(`The shell told no times of its children: '${times}'`);
  return parts.reduce((sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds), 0);
}

import { spawnSync } from 'node:child_process';
import type { CommandIo } from '../command.ts';

/** No pipe tells the end of a launcher: npx gives its own streams to what it starts. */
const CHECK_MS = 500;

/**
 * Runs work that is interrupted, too, when the program that started this process is gone. A shell or npx that a signal
 * ends does not pass the signal on to us, and what we have started would run on for ever.
 */
export async function whileLaunched<T>(io: CommandIo, work: (io: CommandIo) => Promise<T>): Promise<T> {
  const gone = new AbortController();
  const { ppid } = process;
  const launchers = [ppid, behindShell(ppid) ?? ppid];
  const timer = setInterval(() => {
    // Whose parent has ended gets another one, but on Windows.
    if (process.ppid !== ppid || !launchers.every(isRunning)) gone.abort();
  }, CHECK_MS);
  try {
    return await work({ ...io, signal: AbortSignal.any([io.signal, gone.signal]) });
  } finally {
    clearInterval(timer);
  }
}

/**
 * The package manager whose shell our parent is: killed, npx leaves its shell behind, waiting for us. Undefined for
 * another parent, and without the program `ps`.
 */
function behindShell(processId: number): number | undefined {
  const { stdout } = spawnSync('ps', ['-o', 'ppid=,args=', '-p', String(processId)], { encoding: 'utf8' });
  const [, parentId] = /^\s*(\d+)\s+\S*sh -c /.exec(stdout ?? '') ?? [];
  return parentId === undefined ? undefined : Number(parentId);
}

function isRunning(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch (error) {
    // One of another user is not to be signalled, and runs.
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

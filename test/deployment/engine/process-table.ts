import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** The ids of the processes that a process started and that still run. */
export async function childrenOf(processId: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-A', '-o', 'pid=,ppid=']);
  return stdout
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([, parentId]) => parentId === processId)
    .map(([childId]) => childId as number);
}

/** @returns whether there was such a process */
export function signalProcess(processId: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(processId, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

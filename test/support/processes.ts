import { spawnSync } from 'node:child_process';
import { connect } from 'node:net';

export function isRunning(processId: number): boolean {
  return signalProcess(processId, 0);
}

export function isListening(endpoint: string): Promise<boolean> {
  const { hostname, port } = new URL(endpoint);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}

/**
 * The process ids of its children, and theirs.
 *
 * @throws Error if there is no program `ps`
 */
export function descendantsOf(processId: number): number[] {
  const listing = spawnSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  if (listing.error !== undefined) throw listing.error;
  const { stdout, pid: ownId } = listing;
  const processes = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .filter(([id]) => id !== ownId);
  const childrenOf = (parent: number): number[] =>
    processes.flatMap(([id = 0, parentId]) => (parentId === parent ? [id, ...childrenOf(id)] : []));
  return childrenOf(processId);
}

/** @returns whether there was such a process */
export function signalProcess(processId: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(processId, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

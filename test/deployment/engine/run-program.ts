import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { signalProcess } from '../../support/processes.ts';

export interface ProgramOptions {
  readonly signal: AbortSignal;
  readonly environment?: NodeJS.ProcessEnv;
  readonly workingDirectory?: string;
  readonly accepted?: readonly number[];
}

export interface ProgramResult {
  readonly exitCode: number;
  /** What it wrote, to both streams. */
  readonly output: string;
}

/**
 * Runs a program to its end; one that is aborted is killed with all that it started, and is gone when this rejects.
 *
 * @throws Error with the end of its output when it fails
 */
export async function runProgram(
  command: string,
  args: readonly string[],
  { signal, environment, workingDirectory, accepted = [0] }: ProgramOptions,
): Promise<ProgramResult> {
  const child = spawn(command, args, {
    cwd: workingDirectory,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
    killSignal: 'SIGKILL',
    // The leader of a group, in which its own children are.
    detached: true,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString('utf8');
    });
  }
  const exitCode = await endOf(child);
  if (exitCode !== null && accepted.includes(exitCode)) return { exitCode, output };
  const reason = exitCode === null ? 'was ended' : `ended with exit code ${exitCode}`;
  throw new Error(`${[command, ...args].join(' ')} ${reason}:\n${output.slice(-4_000)}`);
}

async function endOf(child: ChildProcess): Promise<number | null> {
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  try {
    const [exitCode] = (await once(child, 'close')) as [number | null];
    return exitCode;
  } catch (error) {
    // A program that could not be started has no end. Of one that was aborted, others may hold the streams.
    if (child.pid !== undefined) {
      signalProcess(-child.pid, 'SIGKILL');
      await ended;
    }
    throw error;
  }
}

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { RefusedInput } from '../../command.ts';

/** A program with its arguments, or a line for the shell. */
export type SynthCommand = { readonly program: string; readonly args: readonly string[] } | string;

/** @throws RefusedInput when there is no app to synthesize here */
export function synthCommand(directory: string, given: string | undefined): SynthCommand {
  if (given !== undefined) return given;
  if (!existsSync('cdk.json')) {
    const problem = `there is no cdk.json in ${process.cwd()}`;
    throw new RefusedInput([`--watch: ${problem}: start it there, or give the command with --synth`]);
  }
  // npx.cmd on Windows needs the shell, which would take a path apart at its spaces.
  return { program: 'npx', args: ['cdk', 'synth', '--quiet', '--output', resolve(directory)] };
}

/** @returns what it wrote when it failed; `undefined` on success, or when it was interrupted */
export async function runSynth(command: SynthCommand, signal: AbortSignal): Promise<string | undefined> {
  const { program, args } = typeof command === 'string' ? { program: command, args: [] } : command;
  const child = spawn(program, args, {
    shell: typeof command === 'string',
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that an interruption ends what npx or the shell has started too.
    detached: true,
  });
  const end = (): void => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid);
    } catch {
      // There are no process groups here, or it has ended: then this does nothing.
      child.kill();
    }
  };
  signal.addEventListener('abort', end);
  try {
    const closed = once(child, 'close');
    const [[exitCode], ...written] = await Promise.all([closed, text(child.stdout), text(child.stderr)]);
    return exitCode === 0 || signal.aborted ? undefined : written.join('').trim();
  } catch (error) {
    return String(error);
  } finally {
    signal.removeEventListener('abort', end);
  }
}

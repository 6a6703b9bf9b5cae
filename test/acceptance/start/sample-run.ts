import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

const projectDirectory = join(import.meta.dirname, '../../..');

export interface SampleRun {
  readonly process: ChildProcess;
  readonly output: () => string;
  readonly exitCode: Promise<number | null>;
  /** Where the run puts its temporary files: the engine's working directory goes when the engine is gone. */
  readonly tmpdir: string;
}

/** `npm start`, which puts its temporary files into a folder of its own. */
export async function startSample(tmpdir: string, ...args: string[]): Promise<SampleRun> {
  await mkdir(tmpdir);
  const { SAGABOX_DYNAMODB_ENDPOINT: _own, ...env } = process.env;
  const child = spawn(process.execPath, ['--conditions=sagabox-source', 'bin/start.ts', ...args], {
    cwd: projectDirectory,
    env: { ...env, TMPDIR: tmpdir },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk;
  });
  child.stderr.resume();
  const exitCode = once(child, 'close').then(([code]) => code as number | null);
  return { process: child, output: () => output, exitCode, tmpdir };
}

export async function figuresIn(file: string): Promise<Record<string, number>> {
  return JSON.parse(await readFile(file, 'utf8'));
}

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from '@jest/globals';
import { repository } from '../test/support/source-files.ts';

/** A command of `bench/` as a process of its own, on the DynamoDB engine of this test run. */
export class BenchProcess {
  readonly #command: string[];

  constructor(script: string) {
    this.#command = ['--conditions=sagabox-source', join('bench', script)];
  }

  async run(...args: string[]): Promise<{ stdout: string; stderr: string }> {
    return await promisify(execFile)(process.execPath, [...this.#command, ...args], processOptions());
  }

  /** How it ends, and what it said, when it is interrupted as soon as it says anything. */
  async interrupt(...args: string[]): Promise<{ exitCode: number | null; stderr: string }> {
    const running = spawn(process.execPath, [...this.#command, ...args], {
      ...processOptions(),
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(running, 'close');
    const said: string[] = [];
    running.stderr.setEncoding('utf8').on('data', (text: string) => said.push(text));
    await once(running.stderr, 'data');
    running.kill('SIGINT');
    const [exitCode] = await ended;
    return { exitCode, stderr: said.join('') };
  }
}

function processOptions() {
  const env = { ...process.env, SAGABOX_DYNAMODB_ENDPOINT: process.env.SAGABOX_TEST_DYNAMODB_ENDPOINT };
  return { cwd: repository, env };
}

export async function expectRefusal(command: BenchProcess, ...args: string[]): Promise<void> {
  const stderr = expect.stringContaining('Usage:');
  await expect(command.run(...args)).rejects.toMatchObject({ code: 2, stderr });
}

export async function expectInterruptible(command: BenchProcess, ...args: string[]): Promise<void> {
  const stderr = expect.stringContaining('Interrupted');
  expect(await command.interrupt(...args)).toEqual({ exitCode: 130, stderr });
}

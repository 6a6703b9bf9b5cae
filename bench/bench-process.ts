import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
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

  /** Interrupts it as soon as it writes to stderr. */
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

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const script = join(import.meta.dirname, '..', 'emulator', 'control.py');

/** Calls services for which the package has no client, one at a time, by the SDK for Python. */
export class AwsCalls {
  readonly #process: ChildProcess;
  readonly #answers: AsyncIterator<string>;
  #last: Promise<unknown> = Promise.resolve();

  constructor(python: string, environment: NodeJS.ProcessEnv, endpoint: string) {
    const child = spawn(python, [script], {
      env: { ...environment, PROOF_ENDPOINT: endpoint },
      stdio: ['pipe', 'pipe', 'inherit'],
      // A Ctrl-C in the terminal reaches the proof, which still has calls to make.
      detached: true,
    });
    // Calls to a process that could not be started, or has ended, tell so.
    child.on('error', () => undefined);
    child.stdin.on('error', () => undefined);
    this.#process = child;
    this.#answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  }

  /** @throws Error with what the service answered when it refuses */
  call<Result>(
    service: string,
    operation: string,
    parameters: Readonly<Record<string, unknown>> = {},
  ): Promise<Result> {
    const made = this.#last.then(() => this.#make(service, operation, parameters));
    this.#last = made.catch(() => undefined);
    return made as Promise<Result>;
  }

  async stop(): Promise<void> {
    const { pid, exitCode, signalCode } = this.#process;
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    const closed = once(this.#process, 'close');
    this.#process.kill('SIGKILL');
    await closed;
  }

  async #make(service: string, operation: string, parameters: unknown): Promise<unknown> {
    this.#process.stdin?.write(`${JSON.stringify({ service, operation, parameters })}\n`);
    const { value, done } = await this.#answers.next();
    if (done) throw new Error(`${service} ${operation}: the process that makes the calls has ended`);
    const { result, error } = JSON.parse(value) as { result?: unknown; error?: string };
    if (error !== undefined) throw new Error(`${service} ${operation}: ${error}`);
    return result;
  }
}

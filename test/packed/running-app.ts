import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** `sagabox local`, from its first line to its last. */
export class RunningApp {
  readonly #process: ChildProcess;
  readonly #lines: string[] = [];
  readonly #errors: string[] = [];
  readonly #closed: Promise<unknown>;
  readonly #waiting = new Set<() => void>();

  constructor(command: string, cwd: string, env: NodeJS.ProcessEnv) {
    // A group of its own, so that a Ctrl+C reaches all of it.
    this.#process = spawn('bash', ['-c', command], { cwd, env, detached: true, stdio: 'pipe' });
    this.#closed = once(this.#process, 'close').finally(() => this.#look());
    const { stdout, stderr } = this.#process;
    assert(stdout && stderr);
    stderr.on('data', (chunk) => this.#errors.push(String(chunk)));
    createInterface(stdout).on('line', (line) => {
      this.#lines.push(line);
      this.#look();
    });
  }

  /** The variables for other programs that it prints. */
  get variables(): NodeJS.ProcessEnv {
    const exports = this.#lines.flatMap((line) => /^ {2}export (\w+)=(\S+)$/.exec(line)?.slice(1, 3) ?? []);
    return Object.fromEntries(exports.flatMap((name, at) => (at % 2 === 0 ? [[name, exports[at + 1]]] : [])));
  }

  find(pattern: RegExp): string {
    const found = this.#lines.flatMap((line) => pattern.exec(line)?.[1] ?? [])[0];
    assert(found, `No line is like ${pattern}:\n${this.#lines.join('\n')}`);
    return found;
  }

  /** Until as many lines have the text. @throws Error when the app ends before */
  lineWith(text: string, count = 1): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        const isThere = this.#lines.filter((line) => line.includes(text)).length >= count;
        if (!isThere && !this.#isOver) return;
        this.#waiting.delete(look);
        if (isThere) resolve();
        else reject(new Error(`The app has ended:\n${[...this.#lines, ...this.#errors].join('\n')}`));
      };
      this.#waiting.add(look);
      look();
    });
  }

  async stop(): Promise<readonly string[]> {
    this.#signal('SIGINT');
    await this.#closed;
    return this.#lines;
  }

  kill(): void {
    if (!this.#isOver) this.#signal('SIGKILL');
  }

  get #isOver(): boolean {
    return this.#process.exitCode !== null || this.#process.signalCode !== null;
  }

  #signal(signal: NodeJS.Signals): void {
    if (this.#process.pid !== undefined) process.kill(-this.#process.pid, signal);
  }

  #look(): void {
    for (const look of this.#waiting) look();
  }
}

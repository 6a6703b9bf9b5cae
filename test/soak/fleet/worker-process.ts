import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import type { WorkerBundle } from './bundle-worker.ts';
import {
  type Counts,
  type Sample,
  setupVariable,
  type WorkerAnswer,
  type WorkerRequest,
  type WorkerSetup,
} from './worker-protocol.ts';

export interface WorkerProcessOptions {
  readonly bundle: WorkerBundle;
  readonly setup: WorkerSetup;
  readonly onCounts: (counts: Counts) => void;
  /** Called once, when the process is gone. */
  readonly onEnd: (end: WorkerEnd) => void;
}

export interface WorkerEnd {
  readonly signal: NodeJS.Signals | null;
  /** The last that it wrote. */
  readonly output: string;
}

/** One worker, as its parent sees it. */
export class WorkerProcess {
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  #paused: ((sample: Sample | undefined) => void) | undefined;
  #ready: (() => void) | undefined;
  #output = '';
  readonly ready: Promise<void>;

  constructor({ bundle, setup, onCounts, onEnd }: WorkerProcessOptions) {
    // Detached, so that a Ctrl-C in the terminal reaches the parent only, which ends it in order.
    this.#child = fork(bundle.file, {
      detached: true,
      execArgv: ['--expose-gc', '--disable-warning=ExperimentalWarning'],
      env: {
        PATH: process.env.PATH,
        TMPDIR: process.env.TMPDIR,
        NODE_COMPILE_CACHE: join(bundle.folder, 'compiled'),
        [setupVariable]: JSON.stringify(setup),
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on('data', (chunk: Buffer) => {
        this.#output = (this.#output + chunk.toString('utf8')).slice(-2000);
      });
    }
    this.#child.on('error', () => undefined);
    this.ready = new Promise((resolve) => {
      this.#ready = resolve;
    });
    this.ended = new Promise((resolve) => {
      this.#child.once('exit', (_code, signal) => {
        this.#paused?.(undefined);
        this.#ready?.();
        onEnd({ signal, output: this.#output });
        resolve();
      });
    });
    this.#child.on('message', (message) => {
      const answer = message as WorkerAnswer;
      if (answer.kind === 'ready') this.#ready?.();
      else if (answer.kind === 'counted') onCounts(answer.counts);
      else if (answer.kind === 'paused') this.#paused?.(answer.sample);
      else this.#output = `${this.#output}${answer.error}\n`;
    });
  }

  get processId(): number | undefined {
    return this.#child.pid;
  }

  ask(request: WorkerRequest): void {
    if (this.#child.connected) this.#child.send(request, () => undefined);
  }

  /** @returns what it holds then; nothing when it ended */
  async pause(): Promise<Sample | undefined> {
    if (!this.#child.connected) return undefined;
    const { promise, resolve } = Promise.withResolvers<Sample | undefined>();
    this.#paused = resolve;
    this.ask({ kind: 'pause' });
    return await promise;
  }

  /** Ends it in the middle of whatever it does. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }
}

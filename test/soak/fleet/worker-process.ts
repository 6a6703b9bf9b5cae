import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { StreamEventRecord } from '../../../lib/local/streams/stream-event.ts';
import type { Counts } from '../../support/tally.ts';
import type { WorkerBundle } from './bundle-worker.ts';
import {
  type Sample,
  setupVariable,
  type WorkerAnswer,
  type WorkerRequest,
  type WorkerSetup,
} from './worker-protocol.ts';

export interface WorkerProcessOptions {
  readonly bundle: WorkerBundle;
  readonly setup: WorkerSetup;
  /** Ends what waits for an answer. */
  readonly signal: AbortSignal;
  /** Far longer than the time limits of functions and calls. */
  readonly answerTimeoutMs?: number;
  readonly onCounts: (counts: Counts, maxInvocationMs: number) => void;
  /** Told what it could not do, and goes on. */
  readonly onFailure: (failure: string) => void;
  readonly onEnd: (end: WorkerEnd) => void;
}

export interface WorkerEnd {
  readonly signal: NodeJS.Signals | null;
  /** What ran into its time limit, if that ended the worker. */
  readonly cutOff: string | undefined;
  readonly output: string;
}

export class WorkerProcess {
  readonly #options: WorkerProcessOptions;
  readonly #child: ChildProcess;
  readonly #ready = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  #paused: PromiseWithResolvers<Sample | undefined> | undefined;
  #watched: PromiseWithResolvers<boolean> | undefined;
  #isGone = false;
  #output = '';
  #cutOff: string | undefined;

  constructor(options: WorkerProcessOptions) {
    this.#options = options;
    const { bundle, setup } = options;
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
      stream?.on('data', (chunk: Buffer) => this.#write(chunk.toString('utf8')));
    }
    this.#child.on('message', (message) => this.#take(message as WorkerAnswer));
    this.#child.once('exit', (_code, signal) => this.#end(signal));
    this.#child.on('error', (error) => {
      this.#write(String(error));
      // Without a process there is no exit.
      if (this.processId === undefined) this.#end(null);
    });
  }

  get processId(): number | undefined {
    return this.#child.pid;
  }

  /** Over when it can be asked, or is gone. */
  async ready(): Promise<void> {
    await this.#answered('start', this.#ready.promise);
  }

  async ended(): Promise<void> {
    await this.#ended.promise;
  }

  ask(request: WorkerRequest): void {
    if (this.#child.connected) this.#child.send(request, () => undefined);
  }

  /** @returns what it holds then; nothing when it is gone, or could not tell */
  async pause(): Promise<Sample | undefined> {
    if (!this.#child.connected) return undefined;
    this.#paused = Promise.withResolvers();
    this.ask({ kind: 'pause' });
    return await this.#answered('pause', this.#paused.promise);
  }

  /** @returns whether it took the batch; false also when it is gone, or could not tell */
  async watch(batch: readonly StreamEventRecord[]): Promise<boolean> {
    if (!this.#child.connected) return false;
    this.#watched = Promise.withResolvers();
    this.ask({ kind: 'watch', batch });
    return await this.#answered('watch', this.#watched.promise);
  }

  /** Ends it in the middle of whatever it does. */
  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async #answered<T>(request: string, answer: Promise<T>): Promise<T> {
    const { signal, answerTimeoutMs: timeoutMs = 120_000 } = this.#options;
    const answered = new AbortController();
    const timeout = delay(timeoutMs, undefined, { signal: AbortSignal.any([signal, answered.signal]) });
    const late = timeout.then(() => {
      throw new Error(`worker ${this.processId} did not ${request} within ${timeoutMs} ms`);
    });
    return await Promise.race([answer, late]).finally(() => answered.abort());
  }

  #take(answer: WorkerAnswer): void {
    const { onCounts, onFailure } = this.#options;
    if (answer.kind === 'ready') this.#ready.resolve();
    else if (answer.kind === 'counted') onCounts(answer.counts, answer.maxInvocationMs);
    else if (answer.kind === 'cutOff') this.#cutOff = answer.evidence;
    else if (answer.kind === 'paused') this.#paused?.resolve(answer.sample);
    else if (answer.kind === 'watched') this.#watched?.resolve(answer.succeeded);
    else {
      onFailure(`a worker could not ${answer.request}: ${answer.error}`);
      if (answer.request === 'pause') this.#paused?.resolve(undefined);
      if (answer.request === 'watch') this.#watched?.resolve(false);
    }
  }

  #end(signal: NodeJS.Signals | null): void {
    if (this.#isGone) return;
    this.#isGone = true;
    // Told first: who waits for an answer may want to know why there is none.
    this.#options.onEnd({ signal, cutOff: this.#cutOff, output: this.#output });
    this.#paused?.resolve(undefined);
    this.#watched?.resolve(false);
    this.#ready.resolve();
    this.#ended.resolve();
  }

  #write(text: string): void {
    this.#output = (this.#output + text).slice(-2000);
  }
}

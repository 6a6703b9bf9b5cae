import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { FunctionDefinition } from '../../lib/local/lambda/function-definition.ts';
import { exitError, timeoutError } from '../../lib/local/lambda/function-error.ts';
import {
  environmentOf,
  type Instance,
  type InstanceOptions,
  type InvocationOutcome,
} from '../../lib/local/lambda/function-instance.ts';
import { startRuntimeApi } from './runtime-api.ts';

/** An instance whose program is Lambda's own runtime interface client, and gets its events as on Lambda. */
export class RicInstance implements Instance {
  readonly definition: FunctionDefinition;
  readonly exited: Promise<unknown>;
  readonly #options: InstanceOptions;
  readonly #api = startRuntimeApi();
  readonly #end = new AbortController();
  readonly #started: Promise<ChildProcess | undefined>;
  #child: ChildProcess | undefined;
  #isBusy = false;

  /** @param client path of the client's program */
  constructor(client: string, options: InstanceOptions) {
    this.#options = options;
    this.definition = options.definition;
    this.#started = this.#start(client);
    this.exited = this.#started.then(async (child) => {
      if (child !== undefined && child.exitCode === null && child.signalCode === null)
        await once(child, 'exit');
      this.#end.abort();
      await (await this.#api).stop();
    });
  }

  get processId(): number | undefined {
    return this.#child?.pid;
  }

  get isIdle(): boolean {
    return !this.#isBusy && !this.isDead;
  }

  get isDead(): boolean {
    return this.#end.signal.aborted;
  }

  kill(): void {
    this.#end.abort();
    this.#child?.kill('SIGKILL');
  }

  async stop(): Promise<void> {
    this.kill();
    await this.exited;
  }

  async invoke(event: unknown): Promise<InvocationOutcome> {
    const died: InvocationOutcome = { kind: 'died', error: exitError() };
    if (this.isDead) return died;
    this.#isBusy = true;
    const { name, timeoutMs } = this.definition;
    const ended = once(this.#end.signal, 'abort').then(() => died);
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<InvocationOutcome>((resolve) => {
      timer = setTimeout(() => resolve({ kind: 'timedOut', error: timeoutError(timeoutMs) }), timeoutMs);
    });
    try {
      const api = await this.#api;
      const deadlineMs = Date.now() + timeoutMs;
      const answer = api.invoke({ requestId: randomUUID(), functionName: name, event, deadlineMs });
      const outcome = await Promise.race([answer, api.initError, ended, timeout]);
      if (outcome.kind === 'timedOut') this.kill();
      return outcome;
    } finally {
      clearTimeout(timer);
      this.#isBusy = false;
    }
  }

  async #start(client: string): Promise<ChildProcess | undefined> {
    const { address } = await this.#api;
    if (this.isDead) return undefined;
    const child = spawn(process.execPath, [client], {
      cwd: this.#options.taskDirectory,
      env: {
        ...environmentOf(this.#options),
        AWS_LAMBDA_RUNTIME_API: address,
        AWS_LAMBDA_LOG_FORMAT: 'JSON',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const input of [child.stdout, child.stderr]) {
      createInterface({ input }).on('line', this.#options.onOutputLine);
    }
    this.#child = child;
    return child;
  }
}

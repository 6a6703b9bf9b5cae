import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Duplex, Readable } from 'node:stream';
import { localArn, localIdentity } from '../app/identity.ts';
import { siblingModule } from '../engines/sibling-module.ts';
import type { ProxiedCall } from '../proxy/proxied-call.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { exitError, type FunctionError, timeoutError } from './function-error.ts';
import { PARENT_PIPE } from './parent-watch.ts';

/** How an invocation ended. Only a `result` is an answer of the handler. */
export type InvocationOutcome =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error' | 'died' | 'timedOut'; readonly error: FunctionError };

/** Invokes one function, on an instance that is free. */
export type Invoke = (event: unknown) => Promise<InvocationOutcome>;

/** What an instance is told over the IPC channel. */
export interface InvokeRequest {
  readonly requestId: string;
  readonly event: unknown;
  readonly deadlineMs: number;
}

/** What it tells: first that its module is loaded, or the error of that; then how each invocation ended. */
export type InstanceMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly error: FunctionError };

export interface InstanceOptions {
  readonly id: string;
  readonly definition: FunctionDefinition;
  readonly taskDirectory: string;
  /** Addresses of the engines, as this instance shall call them. */
  readonly endpoints: Readonly<Record<ProxiedCall['service'], string>>;
  /** Where compiled code is kept, so that the next instance starts faster. */
  readonly compileCacheDirectory: string;
  readonly onOutputLine: (line: string) => void;
}

/** What runs one invocation of a function at a time, as a Lambda sandbox does. */
export interface Instance {
  readonly definition: FunctionDefinition;
  readonly processId: number | undefined;
  /** Whether it lives and can be invoked. */
  readonly isIdle: boolean;
  readonly isDead: boolean;
  readonly exited: Promise<unknown>;
  /** Ends its process at once, in the middle of whatever it does; what it has started ends with it. */
  kill(): void;
  /** Kills it and waits until it is gone. */
  stop(): Promise<void>;
  invoke(event: unknown): Promise<InvocationOutcome>;
}

/** An instance in a child process, which gets its invocations over an IPC channel. */
export class FunctionInstance implements Instance {
  readonly id: string;
  readonly definition: FunctionDefinition;
  readonly exited: Promise<unknown>;
  readonly #child: ChildProcess;
  readonly #timeoutMs: number;
  readonly #initialized: Promise<InstanceMessage>;
  readonly #end = new AbortController();
  #isBusy = false;

  constructor(options: InstanceOptions) {
    this.id = options.id;
    this.definition = options.definition;
    this.#timeoutMs = options.definition.timeoutMs;
    // Detached, so that a Ctrl-C in the terminal does not reach it: the parent ends it in order.
    this.#child = fork(siblingModule(import.meta.url, 'instance-runtime'), {
      cwd: options.taskDirectory,
      detached: true,
      env: environmentOf(options),
      execArgv: ['--disable-warning=ExperimentalWarning'],
      // The last one is PARENT_PIPE.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc', 'pipe'],
    });
    const parentPipe = this.#child.stdio[PARENT_PIPE] as Duplex | undefined;
    parentPipe?.on('error', () => undefined);
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      createInterface({ input: stream as Readable }).on('line', options.onOutputLine);
    }
    this.exited = once(this.#child, 'exit')
      .catch(() => undefined)
      .finally(() => {
        this.#end.abort();
        // What watches over the instance ends with it.
        parentPipe?.destroy();
      });
    this.#initialized = this.#nextMessage(this.#end.signal);
    this.#initialized.catch(() => undefined);
  }

  get processId(): number | undefined {
    return this.#child.pid;
  }

  get isIdle(): boolean {
    return !this.#isBusy && !this.isDead;
  }

  get isDead(): boolean {
    return this.#end.signal.aborted;
  }

  kill(): void {
    this.#end.abort();
    try {
      // The instance leads a process group of its own.
      if (this.#child.pid !== undefined) process.kill(-this.#child.pid, 'SIGKILL');
    } catch {
      // There are no process groups here, or it has ended: then this does nothing.
      this.#child.kill('SIGKILL');
    }
  }

  async stop(): Promise<void> {
    this.kill();
    await this.exited;
  }

  async invoke(event: unknown): Promise<InvocationOutcome> {
    this.#isBusy = true;
    const timeout = new AbortController();
    let timer: NodeJS.Timeout | undefined;
    try {
      const initialized = await this.#initialized;
      if (initialized.kind === 'error') {
        this.kill();
        return initialized;
      }
      const deadlineMs = Date.now() + this.#timeoutMs;
      const request: InvokeRequest = { requestId: randomUUID(), event, deadlineMs };
      const answer = this.#nextMessage(AbortSignal.any([this.#end.signal, timeout.signal]));
      this.#child.send(request, () => undefined);
      timer = setTimeout(() => timeout.abort(), this.#timeoutMs);
      return (await answer) as InvocationOutcome;
    } catch {
      // Only waiting is cut off: by the time, or by the end of the process.
      this.kill();
      return timeout.signal.aborted
        ? { kind: 'timedOut', error: timeoutError(this.#timeoutMs) }
        : { kind: 'died', error: exitError() };
    } finally {
      clearTimeout(timer);
      this.#isBusy = false;
    }
  }

  async #nextMessage(signal: AbortSignal): Promise<InstanceMessage> {
    const [message] = await once(this.#child, 'message', { signal });
    return message;
  }
}

/** A sandbox inherits nothing of us but the path: no credentials, no configuration. */
export function environmentOf({ id, definition, ...options }: InstanceOptions): NodeJS.ProcessEnv {
  const { region, credentials } = localIdentity;
  return {
    PATH: process.env.PATH,
    TMPDIR: process.env.TMPDIR,
    SystemRoot: process.env.SystemRoot,
    TZ: 'UTC',
    LANG: 'en_US.UTF-8',
    NODE_COMPILE_CACHE: options.compileCacheDirectory,
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_LAMBDA_FUNCTION_NAME: definition.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(definition.memoryMegabytes),
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${definition.name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: id,
    SAGABOX_LOCAL_FUNCTION_ARN: localArn('lambda', `function:${definition.name}`),
    _HANDLER: definition.handler,
    LAMBDA_TASK_ROOT: options.taskDirectory,
    ...definition.environment,
    ...Object.fromEntries(
      Object.entries(options.endpoints).map(([service, endpoint]) => [
        `AWS_ENDPOINT_URL_${service.toUpperCase()}`,
        endpoint,
      ]),
    ),
  };
}

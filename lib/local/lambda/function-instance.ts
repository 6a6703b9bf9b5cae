import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { localArn, localIdentity } from '../app/identity.ts';
import { siblingModule } from '../engines/sibling-module.ts';
import type { ProxiedCall } from '../proxy/proxied-call.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { type InstanceMessage, type InvokeRequest, instanceVariables } from './instance-protocol.ts';

/** How an invocation ended. Only a `result` is an answer of the handler. */
export type InvocationOutcome =
  | { readonly kind: 'result'; readonly result: unknown }
  | { readonly kind: 'error'; readonly error: string }
  | { readonly kind: 'died'; readonly error: string }
  | { readonly kind: 'timedOut'; readonly error: string };

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

/** A child process that runs one invocation at a time, as a Lambda sandbox does. */
export class FunctionInstance {
  readonly id: string;
  readonly #child: ChildProcess;
  readonly #timeoutMs: number;
  /** What was wrong with the handler's module, if anything. */
  readonly #initialized: Promise<string | undefined>;
  readonly #ended: Promise<unknown>;
  #dead = false;

  constructor(options: InstanceOptions) {
    this.id = options.id;
    this.#timeoutMs = options.definition.timeoutMs;
    // Detached, so that a Ctrl-C in the terminal does not reach it: the parent ends it in order.
    this.#child = fork(siblingModule(import.meta.url, 'instance-runtime'), {
      cwd: options.taskDirectory,
      detached: true,
      env: environmentOf(options),
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      createInterface({ input: stream as Readable }).on('line', options.onOutputLine);
    }
    this.#child.on('error', () => undefined);
    this.#child.once('exit', () => {
      this.#dead = true;
    });
    this.#ended = once(this.#child, 'exit').catch(() => undefined);
    this.#initialized = this.#initialize();
    this.#initialized.catch(() => undefined);
  }

  get processId(): number | undefined {
    return this.#child.pid;
  }

  get isDead(): boolean {
    return this.#dead;
  }

  /** Ends the process at once, in the middle of whatever it does. */
  kill(): void {
    this.#dead = true;
    killGroup(this.#child);
  }

  /** Kills it and waits until it is gone. */
  async stop(): Promise<void> {
    this.kill();
    await this.#ended;
  }

  async invoke(event: unknown): Promise<InvocationOutcome> {
    const requestId = randomUUID();
    const deadline = new AbortController();
    try {
      const initError = await this.#initialized;
      if (initError !== undefined) {
        this.kill();
        return { kind: 'error', error: initError };
      }
      const request: InvokeRequest = { requestId, event, deadlineMs: Date.now() + this.#timeoutMs };
      const answer = this.#nextMessage(deadline.signal);
      this.#child.send(request, () => undefined);
      const timer = setTimeout(() => deadline.abort(), this.#timeoutMs);
      try {
        return outcomeOf(await answer);
      } finally {
        clearTimeout(timer);
      }
    } catch (error) {
      this.kill();
      return deadline.signal.aborted
        ? { kind: 'timedOut', error: `Task timed out after ${this.#timeoutMs / 1_000} seconds` }
        : { kind: 'died', error: error instanceof Error ? error.message : String(error) };
    }
  }

  async #initialize(): Promise<string | undefined> {
    const message = await this.#nextMessage();
    return message.kind === 'initFailed' ? message.error : undefined;
  }

  #nextMessage(signal?: AbortSignal): Promise<InstanceMessage> {
    return new Promise((resolve, reject) => {
      const settle = (): void => {
        this.#child.off('message', receive);
        this.#child.off('exit', fail);
        signal?.removeEventListener('abort', fail);
      };
      const receive = (message: unknown): void => {
        settle();
        resolve(message as InstanceMessage);
      };
      const fail = (): void => {
        settle();
        reject(new Error('The instance ended before it answered'));
      };
      this.#child.on('message', receive);
      this.#child.on('exit', fail);
      signal?.addEventListener('abort', fail);
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) fail();
    });
  }
}

/** The instance leads a process group of its own: what it has started ends with it. */
function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch {
    child.kill('SIGKILL');
  }
}

function outcomeOf(message: InstanceMessage): InvocationOutcome {
  if (message.kind === 'result') return { kind: 'result', result: message.result };
  return { kind: 'error', error: message.kind === 'error' ? message.error : 'The instance gave no answer' };
}

/** A sandbox inherits nothing of us but the path: no credentials, no configuration. */
function environmentOf(options: InstanceOptions): NodeJS.ProcessEnv {
  const { definition } = options;
  return {
    PATH: process.env.PATH,
    TMPDIR: process.env.TMPDIR,
    SystemRoot: process.env.SystemRoot,
    TZ: 'UTC',
    LANG: 'en_US.UTF-8',
    NODE_COMPILE_CACHE: options.compileCacheDirectory,
    AWS_REGION: localIdentity.region,
    AWS_DEFAULT_REGION: localIdentity.region,
    AWS_ACCESS_KEY_ID: localIdentity.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: localIdentity.credentials.secretAccessKey,
    AWS_LAMBDA_FUNCTION_NAME: definition.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(definition.memoryMegabytes),
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${definition.name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: options.id,
    SAGABOX_LOCAL_FUNCTION_ARN: localArn('lambda', `function:${definition.name}`),
    [instanceVariables.handler]: definition.handler,
    [instanceVariables.taskRoot]: options.taskDirectory,
    ...definition.environment,
    ...Object.fromEntries(
      Object.entries(options.endpoints).map(([service, endpoint]) => [
        `AWS_ENDPOINT_URL_${service.toUpperCase()}`,
        endpoint,
      ]),
    ),
  };
}

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutputLine } from '../app/options.ts';
import type { FaultProxy } from '../proxy/fault-proxy.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { exitError } from './function-error.ts';
import type { Instance, InstanceOptions, InvocationOutcome } from './function-instance.ts';
import { outputKind } from './output-kind.ts';
import { createSandboxDirectory } from './sandbox-directory.ts';

export interface FunctionFleetOptions {
  /** Where the sandboxes are laid out. */
  readonly directory: string;
  readonly proxy: FaultProxy;
  readonly onOutput: (output: OutputLine) => void;
  readonly startInstance: StartInstance;
}

export type StartInstance = (options: InstanceOptions) => Instance;

/** A function with its code laid out. */
interface DeployedFunction {
  readonly definition: FunctionDefinition;
  readonly taskDirectory: string;
}

/**
 * The instances of all functions: warm ones are used again, new ones are started while none is free. Every
 * one calls the engines through its own addresses of the proxy.
 */
export class FunctionFleet {
  readonly #options: FunctionFleetOptions;
  /** By the names of the functions, as they were deployed last. */
  readonly #functions = new Map<string, DeployedFunction>();
  #deployed = 0;
  readonly #instances = new Set<Instance>();
  #started = 0;
  #stopped = false;

  constructor(options: FunctionFleetOptions) {
    this.#options = options;
  }

  get processIds(): number[] {
    return [...this.#instances].flatMap(({ processId }) => processId ?? []);
  }

  /**
   * Prepares the code of a function; its instances start when it is invoked. Those of code that it had before
   * end as soon as they are idle.
   */
  async deploy(definition: FunctionDefinition): Promise<void> {
    this.#deployed += 1;
    const sandbox = join(this.#options.directory, `${definition.name}-${this.#deployed}`);
    await mkdir(sandbox, { recursive: true });
    const taskDirectory = await createSandboxDirectory(definition.assetDirectory, sandbox);
    this.#functions.set(definition.name, { definition, taskDirectory });
    const idle = [...this.#instances].filter((one) => one.isIdle && this.#isOutdated(one));
    await Promise.all(idle.map((instance) => instance.stop()));
  }

  /** Invokes a function that was deployed, on an instance that is free. */
  async invoke(functionName: string, event: unknown): Promise<InvocationOutcome> {
    if (this.#stopped) return { kind: 'died', error: exitError('The local app is stopped') };
    const deployed = this.#functions.get(functionName) as DeployedFunction;
    const warm = [...this.#instances].find((one) => one.definition === deployed.definition && one.isIdle);
    const instance = warm ?? this.#start(deployed);
    const outcome = await instance.invoke(event);
    if (this.#isOutdated(instance)) instance.kill();
    if (instance.isDead) await instance.exited;
    return outcome;
  }

  #isOutdated({ definition }: Instance): boolean {
    return this.#functions.get(definition.name)?.definition !== definition;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([...this.#instances].map((instance) => instance.stop()));
  }

  #start({ definition, taskDirectory }: DeployedFunction): Instance {
    const { proxy, directory, onOutput, startInstance } = this.#options;
    this.#started += 1;
    const id = `${definition.name}-${this.#started}`;
    const instance: Instance = startInstance({
      id,
      definition,
      taskDirectory,
      endpoints: proxy.admit({ id, functionName: definition.name, kill: () => instance.kill() }),
      compileCacheDirectory: join(directory, 'compile-cache'),
      onOutputLine: (line) =>
        onOutput({ functionName: definition.name, instanceId: id, line, kind: outputKind(line) }),
    });
    this.#instances.add(instance);
    void instance.exited.then(() => this.#instances.delete(instance));
    return instance;
  }
}

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutputLine } from '../app/options.ts';
import type { FaultProxy } from '../proxy/fault-proxy.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { FunctionInstance, type Invoke } from './function-instance.ts';
import { outputKind } from './output-kind.ts';
import { createSandboxDirectory } from './sandbox-directory.ts';

export interface FunctionFleetOptions {
  /** Where the sandboxes are laid out. */
  readonly directory: string;
  readonly proxy: FaultProxy;
  readonly onOutput: (output: OutputLine) => void;
}

/**
 * The instances of all functions: warm ones are used again, new ones are started while none is free. Every
 * one calls the engines through its own addresses of the proxy.
 */
export class FunctionFleet {
  readonly #options: FunctionFleetOptions;
  readonly #instances = new Set<FunctionInstance>();
  #started = 0;
  #stopped = false;

  constructor(options: FunctionFleetOptions) {
    this.#options = options;
  }

  get processIds(): number[] {
    return [...this.#instances].flatMap(({ processId }) => processId ?? []);
  }

  /** Prepares the code of a function; its instances start when it is invoked. */
  async add(definition: FunctionDefinition): Promise<Invoke> {
    const sandbox = join(this.#options.directory, definition.name);
    await mkdir(sandbox, { recursive: true });
    const taskDirectory = await createSandboxDirectory(definition.assetDirectory, sandbox);
    return async (event) => {
      if (this.#stopped) return { kind: 'died', error: 'The local app is stopped' };
      const warm = [...this.#instances].find((one) => one.functionName === definition.name && one.isIdle);
      const instance = warm ?? this.#start(definition, taskDirectory);
      const outcome = await instance.invoke(event);
      if (instance.isDead) await instance.exited;
      return outcome;
    };
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([...this.#instances].map((instance) => instance.stop()));
  }

  #start(definition: FunctionDefinition, taskDirectory: string): FunctionInstance {
    const { proxy, directory, onOutput } = this.#options;
    this.#started += 1;
    const id = `${definition.name}-${this.#started}`;
    const instance: FunctionInstance = new FunctionInstance({
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

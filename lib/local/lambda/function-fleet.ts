import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { OutputLine } from '../app/options.ts';
import type { FaultProxy } from '../proxy/fault-proxy.ts';
import type { FunctionDefinition } from './function-definition.ts';
import { FunctionInstance } from './function-instance.ts';
import { InstancePool } from './instance-pool.ts';
import { createSandboxDirectory } from './sandbox-directory.ts';

export interface FunctionFleetOptions {
  /** Where the sandboxes are laid out. */
  readonly directory: string;
  readonly proxy: FaultProxy;
  readonly onOutput: (output: OutputLine) => void;
}

/** All instances of all functions: every one calls the engines through its own addresses of the proxy. */
export class FunctionFleet {
  readonly #options: FunctionFleetOptions;
  readonly #pools = new Map<string, InstancePool>();
  readonly #instances = new Map<string, FunctionInstance>();
  #started = 0;

  constructor(options: FunctionFleetOptions) {
    this.#options = options;
  }

  get processIds(): number[] {
    return [...this.#pools.values()].flatMap(({ processIds }) => processIds);
  }

  /** Prepares the code of a function; its instances start when it is invoked. */
  async add(definition: FunctionDefinition): Promise<InstancePool> {
    const sandbox = join(this.#options.directory, definition.logicalId);
    await mkdir(sandbox, { recursive: true });
    const taskDirectory = await createSandboxDirectory(definition.assetDirectory, sandbox);
    const pool = new InstancePool(() => this.#startInstance(definition, taskDirectory));
    this.#pools.set(definition.name, pool);
    return pool;
  }

  kill(instanceId: string): void {
    this.#instances.get(instanceId)?.kill();
    this.#instances.delete(instanceId);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.stop()));
  }

  #startInstance(definition: FunctionDefinition, taskDirectory: string): FunctionInstance {
    const { proxy, directory, onOutput } = this.#options;
    this.#started += 1;
    const id = `${definition.name}-${this.#started}`;
    proxy.admit(id, definition.name);
    const instance = new FunctionInstance({
      id,
      definition,
      taskDirectory,
      endpoints: proxy.endpointsFor(id),
      compileCacheDirectory: join(directory, 'compile-cache'),
      onOutputLine: (line) => onOutput({ functionName: definition.name, instanceId: id, line }),
    });
    this.#instances.set(id, instance);
    return instance;
  }
}

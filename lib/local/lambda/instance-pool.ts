import type { FunctionInstance, InvocationOutcome } from './function-instance.ts';

/** The instances of one function: warm ones are used again, new ones are started while none is free. */
export class InstancePool {
  readonly #start: () => FunctionInstance;
  readonly #idle: FunctionInstance[] = [];
  readonly #instances = new Set<FunctionInstance>();
  #stopped = false;

  constructor(start: () => FunctionInstance) {
    this.#start = start;
  }

  get processIds(): number[] {
    return [...this.#instances].flatMap(({ processId }) => processId ?? []);
  }

  async invoke(event: unknown): Promise<InvocationOutcome> {
    if (this.#stopped) return { kind: 'died', error: 'The local app is stopped' };
    const instance = this.#takeIdle() ?? this.#startInstance();
    const outcome = await instance.invoke(event);
    if (instance.isDead) {
      this.#instances.delete(instance);
      await instance.stop();
    } else {
      this.#idle.push(instance);
    }
    return outcome;
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([...this.#instances].map((instance) => instance.stop()));
  }

  #takeIdle(): FunctionInstance | undefined {
    for (let instance = this.#idle.pop(); instance !== undefined; instance = this.#idle.pop()) {
      if (!instance.isDead) return instance;
      this.#instances.delete(instance);
    }
    return undefined;
  }

  #startInstance(): FunctionInstance {
    const instance = this.#start();
    this.#instances.add(instance);
    return instance;
  }
}

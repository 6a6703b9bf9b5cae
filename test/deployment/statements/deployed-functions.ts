import type { AwsCalls } from '../engine/aws-calls.ts';

type Variables = Readonly<Record<string, string>>;

interface DeployedFunction {
  readonly FunctionName: string;
  readonly Role: string;
  readonly Environment?: { readonly Variables?: Variables };
}

/** The deployed functions, by the names of their roles. */
export class DeployedFunctions {
  readonly #calls: AwsCalls;

  constructor(calls: AwsCalls) {
    this.#calls = calls;
  }

  async invoke(role: string): Promise<void> {
    const { FunctionName } = await this.#ofRole(role);
    await this.#calls.call('lambda', 'invoke', { FunctionName, Payload: '{}' });
  }

  /** Its next process starts anew, and reads its settings. */
  async restart(role: string): Promise<void> {
    await this.#changeVariables(role, (variables) => ({ ...variables, RESTARTED: 'once' }));
  }

  /** A relay takes what was stored just now, and not only after the time that it leaves to the endpoint. */
  async relayAtOnce(role: string): Promise<void> {
    await this.#changeVariables(role, ({ SAGABOX_RELAY = '{}', ...others }) => ({
      ...others,
      SAGABOX_RELAY: JSON.stringify({ ...JSON.parse(SAGABOX_RELAY), olderThanSeconds: 0 }),
    }));
  }

  async #changeVariables(role: string, change: (variables: Variables) => Variables): Promise<void> {
    const { FunctionName, Environment } = await this.#ofRole(role);
    await this.#calls.call('lambda', 'update_function_configuration', {
      FunctionName,
      Environment: { Variables: change(Environment?.Variables ?? {}) },
    });
  }

  async #ofRole(role: string): Promise<DeployedFunction> {
    const { Functions } = await this.#calls.call<{ Functions: DeployedFunction[] }>(
      'lambda',
      'list_functions',
    );
    const found = Functions.find(({ Role }) => Role.endsWith(`/${role}`));
    if (found === undefined) throw new Error(`No function has the role ${role}`);
    return found;
  }
}

import { text } from 'node:stream/consumers';
import { startLoopbackServer } from '../../lib/local/engines/loopback-server.ts';
import type { RunningEngine } from '../../lib/local/engines/running-engine.ts';

/** Systems Manager refuses a call with more names. Source: "GetParameters". */
const MAX_NAMES = 10;

/** The answers of Systems Manager to GetParameters, in its own protocol: in no order, those that it has. */
export class ParameterStore {
  readonly parameters = new Map<string, string>();
  /** The names that each call asked for. */
  readonly calls: string[][] = [];
  /** Errors of the next calls. */
  readonly failures: string[] = [];
  #server: RunningEngine | undefined;

  async start(): Promise<string> {
    this.#server = await startLoopbackServer(async (request, response) => {
      const { Names } = JSON.parse(await text(request)) as { Names: string[] };
      const operation = String(request.headers['x-amz-target']).split('.').at(-1);
      this.calls.push(Names);
      const isValid = operation === 'GetParameters' && Names.length <= MAX_NAMES;
      const failure = this.failures.shift() ?? (isValid ? undefined : 'ValidationException');
      response.writeHead(failure ? 400 : 200, { 'content-type': 'application/x-amz-json-1.1' });
      response.end(JSON.stringify(failure ? { __type: failure, message: 'no' } : this.#answer(Names)));
    });
    return this.#server.endpoint;
  }

  async stop(): Promise<void> {
    await this.#server?.stop();
  }

  #answer(names: readonly string[]): object {
    const found = names.filter((name) => this.parameters.has(name)).reverse();
    return {
      Parameters: found.map((Name) => ({ Name, Value: this.parameters.get(Name) })),
      InvalidParameters: names.filter((name) => !this.parameters.has(name)),
    };
  }
}

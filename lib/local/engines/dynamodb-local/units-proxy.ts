import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { parseJson } from '../../proxy/call-description.ts';
import { type EngineAnswer, forwardRequest } from '../../proxy/forward-request.ts';
import { correctedServer } from '../identity.ts';
import { startLoopbackServer } from '../loopback-server.ts';
import { requestHeaders } from '../request-headers.ts';
import type { RunningEngine } from '../running-engine.ts';
import { type CorrectedOperation, correctedAnswer, correctedOperations } from './corrected-units.ts';
import { TableSchemas } from './table-schemas.ts';
import { withWrittenItems } from './written-items.ts';

/**
 * Stands before a DynamoDB Local, on the loopback interface, and corrects the units that it reports: the one
 * place that does, for tests, reports and functions alike.
 *
 * @param port 0 for a free one
 */
export async function startUnitsProxy(engine: string, port = 0): Promise<RunningEngine> {
  const proxy = new UnitsProxy(engine);
  const server = await startLoopbackServer((incoming, response) => proxy.handle(incoming, response), port);
  return {
    endpoint: server.endpoint,
    stop: async () => {
      proxy.stop();
      await server.stop();
    },
  };
}

class UnitsProxy {
  readonly #engine: string;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #schemas = new TableSchemas((operation, request) => this.#call(operation, request));

  constructor(engine: string) {
    this.#engine = engine;
  }

  stop(): void {
    this.#agent.destroy();
  }

  async handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const operation = incoming.headers['x-amz-target']?.toString().split('.').at(-1) ?? '';
    const body = await buffer(incoming);
    const { status, headers, body: answer } = await this.#answer(operation, incoming, body);
    // Its length and checksum are those of the answer as it was.
    const { 'content-length': _length, 'x-amz-crc32': _checksum, ...others } = headers;
    response.writeHead(status, { ...others, server: correctedServer }).end(answer);
  }

  async #answer(operation: string, incoming: IncomingMessage, body: Buffer): Promise<EngineAnswer> {
    const forward = (): Promise<EngineAnswer> =>
      forwardRequest({
        agent: this.#agent,
        engine: this.#engine,
        path: incoming.url ?? '/',
        method: incoming.method,
        headers: incoming.headers,
        body,
      });
    if (schemaChanges.includes(operation)) {
      const answer = await forward();
      this.#schemas.forget(String(parseJson(body).TableName));
      return answer;
    }
    // The bytes of every other call pass as they are.
    if (!isCorrected(operation)) return await forward();
    const request = parseJson(body);
    if (!asksForUnits(request)) return await forward();
    const writes = operation === 'TransactWriteItems' || operation === 'BatchWriteItem';
    const tools = { call: this.#call.bind(this), schemas: this.#schemas };
    const { result, written } = writes
      ? await withWrittenItems({ operation, request }, tools, forward)
      : { result: await forward(), written: [] };
    const corrected = correctedAnswer(operation, request, parseJson(result.body), written);
    return { ...result, body: Buffer.from(JSON.stringify(corrected)) };
  }

  /** A call of the proxy's own. What refuses it refuses the call that it was made for too. */
  async #call(operation: string, request: object): Promise<Readonly<Record<string, unknown>>> {
    const { body } = await forwardRequest({
      agent: this.#agent,
      engine: this.#engine,
      path: '/',
      method: 'POST',
      headers: { ...requestHeaders, 'x-amz-target': `DynamoDB_20120810.${operation}` },
      body: Buffer.from(JSON.stringify(request)),
    });
    return parseJson(body);
  }
}

const schemaChanges: readonly string[] = ['CreateTable', 'UpdateTable', 'DeleteTable'];

function isCorrected(operation: string): operation is CorrectedOperation {
  return (correctedOperations as readonly string[]).includes(operation);
}

function asksForUnits({ ReturnConsumedCapacity: detail }: Readonly<Record<string, unknown>>): boolean {
  return detail === 'TOTAL' || detail === 'INDEXES';
}

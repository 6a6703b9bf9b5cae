import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseJson } from '../call-description.ts';
import { type EngineAnswer, forwardRequest, readAll } from '../forward-request.ts';
import type { RunningEngine } from '../running-engine.ts';
import { askedForUnits, withUnitsOfDynamoDB } from './dynamodb-local-units.ts';
import { correctedServer } from './engine-identity.ts';

/**
 * Stands before a DynamoDB Local, on a free port of the loopback interface, and corrects the units that it reports: the one place that
 * does, for tests, reports and functions alike.
 */
export async function startUnitsProxy(engine: string): Promise<RunningEngine> {
  const agent = new Agent({ keepAlive: true });
  const server = createServer((incoming, response) => {
    handle(engine, agent, incoming, response).catch(() => incoming.socket.destroy());
  });
  // Clients keep their connections.
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      agent.destroy();
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function handle(
  engine: string,
  agent: Agent,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const operation = incoming.headers['x-amz-target']?.toString().split('.').at(-1) ?? '';
  const body = await readAll(incoming);
  const forward = (sent: Buffer): Promise<EngineAnswer> =>
    forwardRequest({
      agent,
      engine,
      path: incoming.url ?? '/',
      method: incoming.method,
      headers: incoming.headers,
      body: sent,
    });
  // The bytes of every other call pass as they are.
  if (!correctedOperations.includes(operation)) {
    const answer = await forward(body);
    response.writeHead(answer.status, { ...answer.headers, server: correctedServer }).end(answer.body);
    return;
  }
  const request = parseJson(body);
  const answer = await forward(Buffer.from(JSON.stringify(askedForUnits(operation, request))));
  const { 'x-amz-crc32': _checksum, 'content-length': _length, ...headers } = answer.headers;
  const answered = withUnitsOfDynamoDB(operation, request, parseJson(answer.body));
  response.writeHead(answer.status, { ...headers, server: correctedServer }).end(JSON.stringify(answered));
}

const correctedOperations: readonly string[] = ['TransactWriteItems', 'BatchGetItem', 'Query', 'Scan'];

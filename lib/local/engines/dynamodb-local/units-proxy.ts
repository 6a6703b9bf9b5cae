import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { localIdentity } from '../../app/identity.ts';
import { parseJson } from '../../proxy/call-description.ts';
import { type EngineAnswer, forwardRequest } from '../../proxy/forward-request.ts';
import { decoded } from '../../proxy/recorded-call.ts';
import { correctedServer } from '../identity.ts';
import { startLoopbackServer } from '../loopback-server.ts';
import type { RunningEngine } from '../running-engine.ts';
import { correctedAnswer, isCorrected } from './corrected-units.ts';
import { withWrittenItems } from './written-items.ts';

/**
 * Stands before a DynamoDB Local, on the loopback interface, and corrects the units that it reports: the one
 * place that does, for tests, reports and functions alike.
 *
 * @param port 0 for a free one
 */
export async function startUnitsProxy(engine: string, port = 0): Promise<RunningEngine> {
  const { region, credentials } = localIdentity;
  const client = new DynamoDBClient({ endpoint: engine, region, credentials });
  const agent = new Agent({ keepAlive: true });
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const operation = incoming.headers['x-amz-target']?.toString().split('.').at(-1) ?? '';
    const body = await buffer(incoming);
    const path = incoming.url ?? '/';
    const forward = (): Promise<EngineAnswer> =>
      forwardRequest({ agent, engine, path, method: incoming.method, headers: incoming.headers, body });
    const answer = isCorrected(operation)
      ? await withCorrectUnits(client, { operation, request: parseJson(body) }, forward)
      : await forward();
    // Its length and checksum are those of the answer as it was.
    const { 'content-length': _length, 'x-amz-crc32': _checksum, ...headers } = answer.headers;
    response.writeHead(answer.status, { ...headers, server: correctedServer }).end(answer.body);
  };
  const server = await startLoopbackServer(handle, port);
  return {
    endpoint: server.endpoint,
    stop: async () => {
      agent.destroy();
      client.destroy();
      await server.stop();
    },
  };
}

interface UnitsCall {
  readonly operation: string;
  readonly request: Readonly<Record<string, unknown>>;
}

async function withCorrectUnits(
  client: DynamoDBClient,
  { operation, request }: UnitsCall,
  forward: () => Promise<EngineAnswer>,
): Promise<EngineAnswer> {
  const { ReturnConsumedCapacity: detail } = request;
  if (detail !== 'TOTAL' && detail !== 'INDEXES') return await forward();
  const call = { operation, input: decoded(request) };
  const { result, written } = await withWrittenItems(client, call, forward);
  const corrected = correctedAnswer(operation, { request, answer: parseJson(result.body), written });
  return { ...result, body: Buffer.from(JSON.stringify(corrected)) };
}

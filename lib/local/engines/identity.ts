import { parsedJson } from '../../kernel/parsed-json.ts';
import { dynamoDBCall } from './dynamodb-call.ts';

/** What answers at an endpoint of DynamoDB. */
export interface EngineIdentity {
  /** With its version, where it tells that: `dynoxide 1.2.1`, `DynamoDB Local`. */
  readonly name: string;
  /** Whether it is a DynamoDB Local whose units nothing corrects. */
  readonly reportsWrongUnits: boolean;
}

/** The header `server` of a DynamoDB Local whose units a proxy corrects already. */
export const correctedServer = 'DynamoDB Local, units corrected';

const dynamoDBLocalName = 'DynamoDB Local';
const answerTimeoutMs = 2_000;

/**
 * Asks what answers at the endpoint.
 *
 * @returns undefined for what is no DynamoDB
 * @throws what `fetch` throws when nothing answers within two seconds
 */
export async function identifyEngine(
  endpoint: string,
  signal?: AbortSignal,
): Promise<EngineIdentity | undefined> {
  const timeout = AbortSignal.timeout(answerTimeoutMs);
  const either = signal ? AbortSignal.any([timeout, signal]) : timeout;
  const response = await dynamoDBCall(endpoint, 'DynamoDB_20120810.ListTables', {}, either);
  const answer = await response.text();
  return isOfDynamoDB(answer) ? identityOf(response.headers, endpoint) : undefined;
}

/** A list of tables, or an error as DynamoDB words it. */
function isOfDynamoDB(answer: string): boolean {
  const said = parsedJson(answer) as { TableNames?: unknown; __type?: unknown } | null | undefined;
  return Array.isArray(said?.TableNames) || /dynamodb|coral/i.test(String(said?.__type));
}

function identityOf(headers: Headers, endpoint: string): EngineIdentity {
  const server = headers.get('server') ?? '';
  if (server === correctedServer) return { name: dynamoDBLocalName, reportsWrongUnits: false };
  if (server.startsWith('Jetty')) return { name: dynamoDBLocalName, reportsWrongUnits: true };
  const [, version] = /^Dynoxide\/(.+)$/.exec(server) ?? [];
  return { name: version ? `dynoxide ${version}` : `the engine at ${endpoint}`, reportsWrongUnits: false };
}

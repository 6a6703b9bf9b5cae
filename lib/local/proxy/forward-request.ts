import { once } from 'node:events';
import { type Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';

/** What an engine answered, whole. */
export interface EngineAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** A request as a proxy sends it on. */
interface ForwardedRequest {
  readonly agent: Agent;
  /** The address of the engine. */
  readonly engine: string;
  /** Behind the address, with the query. */
  readonly path: string;
  readonly method: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /**
   * What the engine takes for its own address.
   *
   * @default that of the engine
   */
  readonly host?: string | undefined;
  readonly body: Buffer;
}

/** Sends a request to an engine, without the headers of its connection, and reads the whole answer. */
export async function forwardRequest(forwarded: ForwardedRequest): Promise<EngineAnswer> {
  const { agent, method, body } = forwarded;
  const host = forwarded.host === undefined ? {} : { host: forwarded.host };
  const engine = new URL(forwarded.engine);
  const outgoing = request(engine, {
    method,
    path: engine.pathname.replace(/\/$/, '') + forwarded.path,
    headers: { ...endToEnd(forwarded.headers), ...host, 'content-length': body.length },
    agent,
  });
  outgoing.end(body);
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  const answerBody = await buffer(answer);
  return { status: answer.statusCode ?? 502, headers: endToEnd(answer.headers), body: answerBody };
}

const ofConnection = ['host', 'connection', 'expect', 'transfer-encoding'];

function endToEnd(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.includes(name)));
}

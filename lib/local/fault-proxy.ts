import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { FaultPlan, type FaultRule } from './faults.ts';
import type { CallAnswer, ProxiedCall } from './proxied-call.ts';

export interface FaultProxyOptions {
  readonly engines: Readonly<Record<ProxiedCall['service'], string>>;
  readonly faults: readonly FaultRule[];
  /** Ends the process of an instance at once. */
  readonly killInstance: (instanceId: string) => void;
  readonly onAnswer: (call: ProxiedCall, answer: CallAnswer) => void;
  readonly onFault: (rule: FaultRule, call: ProxiedCall) => void;
}

interface EngineAnswer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/**
 * A loopback proxy between function instances and the engines. Every instance has addresses of its own, so that the proxy
 * knows who calls, and can kill the caller before or after a chosen call.
 */
export class FaultProxy {
  readonly #options: FaultProxyOptions;
  readonly #plan: FaultPlan;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #functionOfInstance = new Map<string, string>();
  readonly #server: Server;

  constructor(options: FaultProxyOptions) {
    this.#options = options;
    this.#plan = new FaultPlan(options.faults);
    this.#server = createServer((incoming, response) => {
      this.#handle(incoming, response).catch(() => incoming.socket.destroy());
    });
    // The clients of idle instances keep their connections.
    this.#server.keepAliveTimeout = 60_000;
  }

  async start(): Promise<void> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }

  /** Start of the queue URLs that instances are given: SDK clients take their host for the endpoint. */
  get baseUrl(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Lets an instance in, and says where it finds an engine. */
  admit(instanceId: string, functionName: string): void {
    this.#functionOfInstance.set(instanceId, functionName);
  }

  endpointFor(instanceId: string, service: ProxiedCall['service']): string {
    return `${this.baseUrl}/${instanceId}/${service}`;
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readAll(incoming);
    const call = this.#callOf(incoming, body);
    if (call === undefined) {
      incoming.socket.destroy();
      return;
    }
    const fault = this.#plan.next(call);
    if (fault?.kill === 'beforeCall') {
      this.#kill(fault, call, incoming);
      return;
    }
    const answer = await this.#forward(call, incoming, body);
    this.#options.onAnswer(call, { status: answer.status, body: parse(answer.body) });
    if (fault !== undefined) {
      this.#kill(fault, call, incoming);
      return;
    }
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }

  /** Undefined for a caller that is not known, or was killed: nothing of it reaches an engine any more. */
  #callOf(incoming: IncomingMessage, body: Buffer): ProxiedCall | undefined {
    const [, instanceId = '', service] = (incoming.url ?? '').split('/');
    const functionName = this.#functionOfInstance.get(instanceId);
    if (functionName === undefined || (service !== 'dynamodb' && service !== 'sqs')) return undefined;
    const operation = String(incoming.headers['x-amz-target']).split('.').at(-1) ?? '';
    return { instanceId, functionName, service, operation, request: parse(body) };
  }

  #kill(fault: FaultRule, call: ProxiedCall, incoming: IncomingMessage): void {
    this.#functionOfInstance.delete(call.instanceId);
    this.#options.killInstance(call.instanceId);
    incoming.socket.destroy();
    this.#options.onFault(fault, call);
  }

  async #forward(call: ProxiedCall, incoming: IncomingMessage, body: Buffer): Promise<EngineAnswer> {
    const engine = new URL(this.#options.engines[call.service]);
    const {
      host: _host,
      connection: _connection,
      'transfer-encoding': _encoding,
      ...headers
    } = incoming.headers;
    const outgoing = request(engine, {
      method: incoming.method,
      headers: { ...headers, 'content-length': body.length },
      agent: this.#agent,
    });
    outgoing.end(body);
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    const answerBody = await readAll(answer);
    const {
      connection: _answerConnection,
      'transfer-encoding': _answerEncoding,
      ...answerHeaders
    } = answer.headers;
    return {
      status: answer.statusCode ?? 502,
      headers: { ...answerHeaders, 'content-length': String(answerBody.length) },
      body: answerBody,
    };
  }
}

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function parse(body: Buffer): Record<string, unknown> {
  try {
    return JSON.parse(body.toString('utf8')) as Record<string, unknown>;
  } catch {
    return {};
  }
}

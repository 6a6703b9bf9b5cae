import { Agent, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { startLoopbackServer } from '../engines/loopback-server.ts';
import type { RunningEngine } from '../engines/running-engine.ts';
import { describeCall, parseJson } from './call-description.ts';
import { FaultPlan, type FaultRule } from './faults.ts';
import { forwardRequest } from './forward-request.ts';
import type { CallAnswer, ProxiedCall } from './proxied-call.ts';

export interface FaultProxyOptions {
  readonly engines: Readonly<Record<ProxiedCall['service'], string>>;
  readonly faults: readonly FaultRule[];
  /** Ends the process of an instance at once. */
  readonly killInstance: (instanceId: string) => void;
  readonly onAnswer: (call: ProxiedCall, answer: CallAnswer) => void;
  readonly onFault: (rule: FaultRule, call: ProxiedCall) => void;
}

/**
 * A loopback proxy between function instances and the engines. Every instance has addresses of its own, so
 * that the proxy knows who calls, and can kill the caller before or after a chosen call.
 */
export class FaultProxy {
  readonly #options: FaultProxyOptions;
  readonly #plan: FaultPlan;
  readonly #agent = new Agent({ keepAlive: true });
  readonly #functionOfInstance = new Map<string, string>();
  #server: RunningEngine | undefined;

  constructor(options: FaultProxyOptions) {
    this.#options = options;
    this.#plan = new FaultPlan(options.faults);
  }

  async start(): Promise<void> {
    this.#server = await startLoopbackServer((incoming, response) => this.#handle(incoming, response));
  }

  async stop(): Promise<void> {
    this.#agent.destroy();
    await this.#server?.stop();
  }

  /** Start of the queue URLs that instances are given: SDK clients take their host for the endpoint. */
  get baseUrl(): string {
    return this.#server?.endpoint ?? '';
  }

  /** Lets an instance in. */
  admit(instanceId: string, functionName: string): void {
    this.#functionOfInstance.set(instanceId, functionName);
  }

  /** Where an instance finds the engines. */
  endpointsFor(instanceId: string): Record<ProxiedCall['service'], string> {
    const endpoint = (service: ProxiedCall['service']): string => `${this.baseUrl}/${instanceId}/${service}`;
    return {
      dynamodb: endpoint('dynamodb'),
      sqs: endpoint('sqs'),
      sns: endpoint('sns'),
      s3: endpoint('s3'),
      eventbridge: endpoint('eventbridge'),
      scheduler: endpoint('scheduler'),
    };
  }

  async #handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(incoming);
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
    const answer = await forwardRequest({
      agent: this.#agent,
      engine: this.#options.engines[call.service],
      path: addressOf(incoming).path,
      method: incoming.method,
      headers: incoming.headers,
      body,
    });
    this.#options.onAnswer(call, { status: answer.status, body: parseJson(answer.body) });
    if (fault !== undefined) {
      this.#kill(fault, call, incoming);
      return;
    }
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }

  /** Undefined for a caller that is not known, or was killed: nothing of it reaches an engine any more. */
  #callOf(incoming: IncomingMessage, body: Buffer): ProxiedCall | undefined {
    const { instanceId, service, path } = addressOf(incoming);
    const functionName = this.#functionOfInstance.get(instanceId);
    if (functionName === undefined || !this.#isService(service)) return undefined;
    const target = incoming.headers['x-amz-target'];
    const request = { method: incoming.method ?? '', path, target: target?.toString(), body };
    return { instanceId, functionName, service, ...describeCall(service, request) };
  }

  #isService(name: string): name is ProxiedCall['service'] {
    return Object.hasOwn(this.#options.engines, name);
  }

  #kill(fault: FaultRule, call: ProxiedCall, incoming: IncomingMessage): void {
    this.#functionOfInstance.delete(call.instanceId);
    this.#options.killInstance(call.instanceId);
    incoming.socket.destroy();
    this.#options.onFault(fault, call);
  }
}

/** What the path says: who calls, which engine, and what of it, with its query. */
function addressOf({ url = '' }: IncomingMessage): { instanceId: string; service: string; path: string } {
  const [, instanceId = '', service = '', rest = ''] = /^\/([^/]*)\/([^/?]*)(.*)$/.exec(url) ?? [];
  return { instanceId, service, path: rest.startsWith('/') ? rest : `/${rest}` };
}

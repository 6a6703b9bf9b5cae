import { Agent, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { startLoopbackServer } from '../engines/loopback-server.ts';
import { describeCall, parseJson } from './call-description.ts';
import { type FaultRule, planFaults } from './faults.ts';
import { forwardRequest } from './forward-request.ts';
import type { CallAnswer, ProxiedCall } from './proxied-call.ts';

export interface FaultProxyOptions {
  readonly engines: Readonly<Record<ProxiedCall['service'], string>>;
  readonly faults: readonly FaultRule[];
  readonly onAnswer: (call: ProxiedCall, answer: CallAnswer) => void;
  readonly onFault: (rule: FaultRule, call: ProxiedCall) => void;
}

/** A function instance that the proxy lets in. */
export interface ProxiedInstance {
  readonly id: string;
  readonly functionName: string;
  /** Ends its process at once. */
  readonly kill: () => void;
}

export interface FaultProxy {
  /** Start of the queue URLs that instances are given: SDK clients take their host for the endpoint. */
  readonly baseUrl: string;
  /** Lets an instance in. @returns where it finds the engines */
  readonly admit: (instance: ProxiedInstance) => FaultProxyOptions['engines'];
  readonly stop: () => Promise<void>;
}

/**
 * Starts a loopback proxy between function instances and the engines. Every instance has addresses of its
 * own, so that the proxy knows who calls, and can kill the caller before or after a chosen call.
 */
export async function startFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const { engines, onAnswer, onFault } = options;
  const faultOf = planFaults(options.faults);
  const agent = new Agent({ keepAlive: true });
  const instances = new Map<string, ProxiedInstance>();
  const server = await startLoopbackServer(async (incoming, response) => {
    const body = await buffer(incoming);
    const { instanceId, service, path } = addressOf(incoming);
    const instance = instances.get(instanceId);
    // Of a caller that is not known, or was killed, no call reaches an engine any more.
    if (instance === undefined || !isService(service, engines)) {
      incoming.socket.destroy();
      return;
    }
    const { method = '', headers } = incoming;
    const target = headers['x-amz-target']?.toString();
    const described = describeCall(service, { method, path, target, body });
    const call = { instanceId, functionName: instance.functionName, service, ...described };
    const fault = faultOf(call);
    const kill = (rule: FaultRule): void => {
      instances.delete(instanceId);
      instance.kill();
      incoming.socket.destroy();
      onFault(rule, call);
    };
    if (fault?.kill === 'beforeCall') return kill(fault);
    const answer = await forwardRequest({ agent, engine: engines[service], path, method, headers, body });
    onAnswer(call, { status: answer.status, body: parseJson(answer.body) });
    if (fault !== undefined) return kill(fault);
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  return {
    baseUrl: server.endpoint,
    admit: (instance) => {
      instances.set(instance.id, instance);
      const addresses = Object.keys(engines).map((name) => [
        name,
        `${server.endpoint}/${instance.id}/${name}`,
      ]);
      return Object.fromEntries(addresses);
    },
    stop: async () => {
      agent.destroy();
      await server.stop();
    },
  };
}

function isService(name: string, engines: FaultProxyOptions['engines']): name is ProxiedCall['service'] {
  return Object.hasOwn(engines, name);
}

/** What the path says: who calls, which engine, and what of it, with its query. */
function addressOf({ url = '' }: IncomingMessage): { instanceId: string; service: string; path: string } {
  const [, instanceId = '', service = '', rest = ''] = /^\/([^/]*)\/([^/?]*)(.*)$/.exec(url) ?? [];
  return { instanceId, service, path: rest.startsWith('/') ? rest : `/${rest}` };
}

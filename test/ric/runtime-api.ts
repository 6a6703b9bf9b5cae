import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { localArn } from '../../lib/local/app/identity.ts';
import { startLoopbackServer } from '../../lib/local/engines/loopback-server.ts';
import type { InvocationOutcome } from '../../lib/local/lambda/function-instance.ts';

/** An invocation that a runtime takes, and answers. */
interface Invocation {
  readonly requestId: string;
  readonly functionName: string;
  readonly event: unknown;
  readonly deadlineMs: number;
  readonly answer: (outcome: InvocationOutcome) => void;
}

/** The Runtime API of Lambda for one instance. Source: "Using the Lambda runtime API". */
export interface RuntimeApi {
  /** `127.0.0.1:4711`, as the variable AWS_LAMBDA_RUNTIME_API has it. */
  readonly address: string;
  /** Hands the event to the runtime, which asks for one when it is idle. */
  readonly invoke: (invocation: Omit<Invocation, 'answer'>) => Promise<InvocationOutcome>;
  /** Resolves with the error that the runtime could not begin for. */
  readonly initError: Promise<InvocationOutcome>;
  readonly stop: () => Promise<void>;
}

const version = '/2018-06-01/runtime';

export async function startRuntimeApi(): Promise<RuntimeApi> {
  const waiting: Invocation[] = [];
  const taken = new Map<string, Invocation>();
  const asked: ServerResponse[] = [];
  const { promise: initError, resolve: failInit } = Promise.withResolvers<InvocationOutcome>();

  const handOver = (): void => {
    while (waiting.length > 0 && asked.length > 0) {
      const [invocation, response] = [waiting.shift(), asked.shift()] as [Invocation, ServerResponse];
      taken.set(invocation.requestId, invocation);
      response.writeHead(200, {
        'content-type': 'application/json',
        'lambda-runtime-aws-request-id': invocation.requestId,
        'lambda-runtime-deadline-ms': String(invocation.deadlineMs),
        'lambda-runtime-invoked-function-arn': localArn('lambda', `function:${invocation.functionName}`),
        'lambda-runtime-trace-id': 'Root=1-5759e988-bd862e3fe1be46a994272793;Sampled=0',
      });
      response.end(JSON.stringify(invocation.event));
    }
  };

  const server = await startLoopbackServer(async (incoming, response) => {
    const path = (incoming.url ?? '').slice(version.length);
    if (incoming.method === 'GET' && path === '/invocation/next') {
      asked.push(response);
      return handOver();
    }
    const body = await text(incoming);
    const accept = (): void => void response.writeHead(202).end('{"status":"OK"}');
    if (path === '/init/error') {
      failInit(errorOf(body));
      return accept();
    }
    const [, requestId = '', kind = ''] = /^\/invocation\/([^/]+)\/(response|error)$/.exec(path) ?? [];
    const invocation = taken.get(decodeURIComponent(requestId));
    if (invocation === undefined) return refuse(incoming, response);
    taken.delete(invocation.requestId);
    accept();
    invocation.answer(kind === 'error' ? errorOf(body) : { kind: 'result', result: JSON.parse(body) });
  });

  return {
    address: new URL(server.endpoint).host,
    invoke: (invocation) =>
      new Promise((answer) => {
        waiting.push({ ...invocation, answer });
        handOver();
      }),
    initError,
    stop: server.stop,
  };
}

function errorOf(body: string): InvocationOutcome {
  return { kind: 'error', error: JSON.parse(body) };
}

function refuse({ method, url }: IncomingMessage, response: ServerResponse): void {
  response.writeHead(404).end(JSON.stringify({ errorMessage: `no such call: ${method} ${url}` }));
}

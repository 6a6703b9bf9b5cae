import { Agent, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import { answerDescribeStacks, type StackOutputs } from '../app/stacks-api.ts';
import { startLoopbackServer } from '../engines/loopback-server.ts';
import type { RunningEngine } from '../engines/running-engine.ts';
import { answerLambda, type PlayedLambda } from '../lambda/lambda-api.ts';
import { forwardRequest } from './forward-request.ts';
import type { EngineService } from './proxied-call.ts';

export interface ClientEndpointOptions {
  readonly engines: Readonly<Record<EngineService, string>>;
  readonly lambda: PlayedLambda;
  /** As they are known when a request asks for them. */
  readonly stackOutputs: () => StackOutputs;
  /** 0 for a free one. */
  readonly port: number;
}

/** What this address answers itself. */
type OwnService = 'lambda' | 'cloudformation';

/** By the name that the signature of a request gives the service. */
const services: Readonly<Record<string, EngineService | OwnService>> = {
  dynamodb: 'dynamodb',
  sqs: 'sqs',
  sns: 'sns',
  s3: 's3',
  events: 'eventbridge',
  scheduler: 'scheduler',
  lambda: 'lambda',
  cloudformation: 'cloudformation',
};

/**
 * Starts one loopback address for the clients of all services: each request goes to the engine of the service
 * that its signature names. Signatures are not checked.
 *
 * @throws SagaboxError `Configuration` when the port is in use
 */
export async function startClientEndpoint(options: ClientEndpointOptions): Promise<RunningEngine> {
  const { engines, lambda, stackOutputs, port } = options;
  const agent = new Agent({ keepAlive: true });
  const start = startLoopbackServer(async (incoming, response) => {
    const service = serviceOf(incoming);
    if (service === undefined) {
      response.writeHead(400, { 'content-type': 'text/plain' }).end(unsigned);
      return;
    }
    if (service === 'lambda') return await answerLambda(lambda, incoming, response);
    if (service === 'cloudformation') return await answerDescribeStacks(stackOutputs(), incoming, response);
    const body = await buffer(incoming);
    const { method, url: path = '/', headers } = incoming;
    const { host } = headers;
    const answer = await forwardRequest({
      agent,
      engine: engines[service],
      path,
      method,
      headers,
      host,
      body,
    });
    response.writeHead(answer.status, answer.headers).end(answer.body);
  }, port);
  const server = await start.catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'EADDRINUSE' ? portInUse(port, error) : error;
  });
  return {
    endpoint: server.endpoint,
    stop: async () => {
      agent.destroy();
      await server.stop();
    },
  };
}

const unsigned =
  `This is the address of ${Object.values(services).join(', ')} of a local sagabox app. ` +
  'It tells them apart by the signature of a request, which this one does not have.\n';

/**
 * The scope of a signature is `<access key>/<date>/<region>/<service>/aws4_request`, in the header or, of a
 * presigned URL, in the query.
 *
 * Source: "AWS Signature Version 4 for API requests".
 */
function serviceOf({ headers, url = '' }: IncomingMessage): EngineService | OwnService | undefined {
  const scope = headers.authorization ?? decodeURIComponent(/X-Amz-Credential=([^&]*)/.exec(url)?.[1] ?? '');
  return services[/\/([^/]+)\/aws4_request/.exec(scope)?.[1] ?? ''];
}

function portInUse(port: number, cause: Error): SagaboxError {
  return new SagaboxError(
    'Configuration',
    {
      setting: 'port',
      problem: `another program listens on port ${port} of this machine`,
      remedy: 'Stop it, choose another port, or leave the port out to get a free one',
    },
    { cause },
  );
}

import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { isSagaboxError } from '../../kernel/errors/errors.ts';
import type { InvocationOutcome } from './function-instance.ts';
import { functionNameOf } from './function-name.ts';
import type { MappingDescription } from './mapping-description.ts';

/** What the local Lambda has. */
export interface PlayedLambda {
  /** Invokes a function of the app. @throws SagaboxError `Configuration` when it has none of this name */
  readonly invoke: (name: string, event: unknown) => Promise<InvocationOutcome>;
  /** Describes an event source mapping. @returns undefined when the app has none of this id */
  readonly mapping: (uuid: string) => MappingDescription | undefined;
}

/** An answer to a call, as JSON. */
interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/**
 * Plays `Invoke` of Lambda with the invocation type `RequestResponse`, and `GetEventSourceMapping`; nothing else
 * of it.
 *
 * Sources: "Invoke", "GetEventSourceMapping", AWS Lambda API Reference.
 */
export async function answerLambda(
  lambda: PlayedLambda,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { status, headers, body } = await answerOf(lambda, incoming);
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

async function answerOf(lambda: PlayedLambda, incoming: IncomingMessage): Promise<Answer> {
  const [path = ''] = (incoming.url ?? '').split('?');
  const [, uuid] = /^\/2015-03-31\/event-source-mappings\/([^/]+)$/.exec(path) ?? [];
  if (uuid !== undefined && incoming.method === 'GET') {
    const described = lambda.mapping(decodeURIComponent(uuid));
    if (described !== undefined) return { status: 200, body: described };
    return refusal(404, 'ResourceNotFoundException', 'The resource you requested does not exist.');
  }
  const [, name] = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(path) ?? [];
  const { 'x-amz-invocation-type': invocationType = 'RequestResponse' } = incoming.headers;
  if (name === undefined || invocationType !== 'RequestResponse') {
    const played = 'it plays Invoke, with the type RequestResponse, and GetEventSourceMapping';
    return refusal(400, 'InvalidParameterValueException', `This is a local app: of Lambda ${played}`);
  }
  const body = await text(incoming);
  try {
    const event: unknown = body === '' ? {} : JSON.parse(body);
    const outcome = await lambda.invoke(functionNameOf(decodeURIComponent(name)), event);
    return outcome.kind === 'result'
      ? { status: 200, headers: version, body: outcome.result }
      : { status: 200, headers: { ...version, 'x-amz-function-error': 'Unhandled' }, body: outcome.error };
  } catch (error) {
    if (error instanceof SyntaxError) return refusal(400, 'InvalidRequestContentException', error.message);
    if (!isSagaboxError(error)) throw error;
    return refusal(404, 'ResourceNotFoundException', error.message);
  }
}

const version = { 'x-amz-executed-version': '$LATEST' };

function refusal(status: number, errorType: string, message: string): Answer {
  const body = { Type: 'User', Message: message, message };
  return { status, headers: { 'x-amzn-errortype': errorType }, body };
}

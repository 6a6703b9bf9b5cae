import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { isSagaboxError } from '../../core/failures/errors.ts';
import type { InvocationOutcome } from './function-instance.ts';
import { functionNameOf } from './function-name.ts';

/** Invokes a function of the app. @throws SagaboxError `Configuration` when it has none of this name */
export type InvokeByName = (name: string, event: unknown) => Promise<InvocationOutcome>;

/**
 * Plays `Invoke` of Lambda with the invocation type `RequestResponse`; nothing else of it.
 *
 * Source: "Invoke", AWS Lambda API Reference.
 */
export async function answerInvoke(
  invoke: InvokeByName,
  incoming: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refuse = (status: number, errorType: string, message: string): void => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-amzn-errortype': errorType });
    response.end(JSON.stringify({ Type: 'User', Message: message, message }));
  };
  const [, name] = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/.exec(pathOf(incoming)) ?? [];
  const { 'x-amz-invocation-type': invocationType = 'RequestResponse' } = incoming.headers;
  if (name === undefined || invocationType !== 'RequestResponse') {
    const played = 'This is a local app: of Lambda it plays Invoke, with the type RequestResponse';
    return refuse(400, 'InvalidParameterValueException', played);
  }
  const body = await text(incoming);
  try {
    const event: unknown = body === '' ? {} : JSON.parse(body);
    const outcome = await invoke(functionNameOf(decodeURIComponent(name)), event);
    const isResult = outcome.kind === 'result';
    response.writeHead(200, {
      'content-type': 'application/json',
      'x-amz-executed-version': '$LATEST',
      ...(!isResult && { 'x-amz-function-error': 'Unhandled' }),
    });
    response.end(JSON.stringify(isResult ? outcome.result : outcome.error));
  } catch (error) {
    if (error instanceof SyntaxError) return refuse(400, 'InvalidRequestContentException', error.message);
    if (!isSagaboxError(error)) throw error;
    refuse(404, 'ResourceNotFoundException', error.message);
  }
}

function pathOf({ url = '' }: IncomingMessage): string {
  return url.replace(/\?.*$/s, '');
}

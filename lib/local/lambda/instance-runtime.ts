/**
 * Entry of a function instance: loads the handler of a bundle, and invokes it for every request that comes
 * over the IPC channel, as the Lambda runtime does. Ends when that channel closes, or else with its parent, so that no
 * instance outlives it.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { functionErrorOf } from './function-error.ts';
import type { InstanceMessage, InvokeRequest } from './function-instance.ts';
import { dieWithParent } from './parent-watch.ts';

type Handler = (event: unknown, context: unknown) => unknown;

function tell(message: InstanceMessage): void {
  process.send?.(message);
}

async function loadHandler(): Promise<Handler> {
  const { LAMBDA_TASK_ROOT: taskRoot = '', _HANDLER: name = '' } = process.env;
  const [, modulePath = '', exportName = ''] = /^(.*)\.([^.]+)$/.exec(name) ?? [];
  const file = ['.mjs', '.js', '.cjs']
    .map((extension) => join(taskRoot, modulePath + extension))
    .find((candidate) => existsSync(candidate));
  if (file === undefined) throw new Error(`The bundle holds no module '${modulePath}'`);
  const loaded = (await import(pathToFileURL(file).href)) as Record<string, unknown>;
  const exports = (loaded.default ?? {}) as Record<string, unknown>;
  const handler = loaded[exportName] ?? exports[exportName];
  if (typeof handler !== 'function') throw new Error(`'${modulePath}' exports no function '${exportName}'`);
  return handler as Handler;
}

function contextOf({ requestId, deadlineMs }: InvokeRequest): object {
  const { env } = process;
  return {
    awsRequestId: requestId,
    callbackWaitsForEmptyEventLoop: true,
    functionName: env.AWS_LAMBDA_FUNCTION_NAME,
    functionVersion: env.AWS_LAMBDA_FUNCTION_VERSION,
    invokedFunctionArn: env.SAGABOX_LOCAL_FUNCTION_ARN,
    memoryLimitInMB: env.AWS_LAMBDA_FUNCTION_MEMORY_SIZE,
    logGroupName: env.AWS_LAMBDA_LOG_GROUP_NAME,
    logStreamName: env.AWS_LAMBDA_LOG_STREAM_NAME,
    getRemainingTimeInMillis: () => Math.max(0, deadlineMs - Date.now()),
  };
}

async function invoke(handler: Handler, request: InvokeRequest): Promise<void> {
  try {
    const result = await handler(request.event, contextOf(request));
    tell({ kind: 'result', result: result ?? null });
  } catch (error) {
    tell({ kind: 'error', error: functionErrorOf(error) });
  }
}

process.on('disconnect', () => process.exit(0));
dieWithParent();
try {
  const handler = await loadHandler();
  process.on('message', (request) => void invoke(handler, request as InvokeRequest));
  tell({ kind: 'ready' });
} catch (error) {
  tell({ kind: 'error', error: functionErrorOf(error) });
}

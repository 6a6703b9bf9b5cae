import { startDynamoDBLocal, startSqsEmulator } from 'sagabox/local';
import { settleAll, settled } from '../../lib/core/settle.ts';

export interface Engines {
  readonly dynamoDBEndpoint: string;
  readonly sqsEndpoint: string;
}

interface RunningEngine {
  readonly endpoint: string;
  readonly stop: () => Promise<void>;
}

type StartEngine = (options: { readonly signal?: AbortSignal }) => Promise<RunningEngine>;

/**
 * Both engines, beside our own thread: DynamoDB Local in a process, the SQS emulator in a thread. Gone when the work is over.
 *
 * @param signal ends their start; the work has to look at it by itself
 */
export async function withEngines<T>(
  work: (engines: Engines) => Promise<T>,
  signal?: AbortSignal,
  [startDynamoDB, startSqs]: readonly [StartEngine, StartEngine] = [startDynamoDBLocal, startSqsEmulator],
): Promise<T> {
  const options = signal ? { signal } : {};
  const starts = await Promise.allSettled([startDynamoDB(options), startSqs(options)]);
  const working = workOn(starts, work, signal);
  await settled(working);
  // One that does not stop keeps no other from it, and hides no failure of the work.
  const stops = starts.map(async (start) => start.status === 'fulfilled' && (await start.value.stop()));
  const [result] = await settleAll([working, ...stops]);
  return result;
}

async function workOn<T>(
  [dynamoDB, sqs]: readonly [PromiseSettledResult<RunningEngine>, PromiseSettledResult<RunningEngine>],
  work: (engines: Engines) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  signal?.throwIfAborted();
  if (dynamoDB.status === 'rejected') throw dynamoDB.reason;
  if (sqs.status === 'rejected') throw sqs.reason;
  return await work({ dynamoDBEndpoint: dynamoDB.value.endpoint, sqsEndpoint: sqs.value.endpoint });
}

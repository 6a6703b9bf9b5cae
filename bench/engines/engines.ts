import { type DynamoDBEngine, type RunningEngine, startDynamoDB, startSqsEmulator } from 'sagabox/local';
import { settleAll, settled } from '../../lib/core/settle.ts';

export interface Engines {
  readonly dynamoDBEndpoint: string;
  /** With its version: `dynoxide 1.2.1`. */
  readonly dynamoDBEngine: string;
  readonly sqsEndpoint: string;
}

type StartDynamoDB = (options: {
  readonly signal?: AbortSignal;
}) => Promise<Omit<DynamoDBEngine, 'isShared'>>;
type StartSqs = (options: { readonly signal?: AbortSignal }) => Promise<RunningEngine>;

/**
 * Both engines, beside our own thread: DynamoDB in a process, the SQS emulator in a thread. Gone when the work is over.
 *
 * @param signal ends their start; the work has to look at it by itself
 */
export async function withEngines<T>(
  work: (engines: Engines) => Promise<T>,
  signal?: AbortSignal,
  [startTables, startQueues]: readonly [StartDynamoDB, StartSqs] = [startDynamoDB, startSqsEmulator],
): Promise<T> {
  const options = signal ? { signal } : {};
  const starts = await Promise.allSettled([startTables(options), startQueues(options)]);
  const working = workOn(starts, work, signal);
  await settled(working);
  // One that does not stop keeps no other from it, and hides no failure of the work.
  const stops = starts.map(async (start) => start.status === 'fulfilled' && (await start.value.stop()));
  const [result] = await settleAll([working, ...stops]);
  return result;
}

async function workOn<T>(
  [dynamoDB, sqs]: readonly [
    PromiseSettledResult<Omit<DynamoDBEngine, 'isShared'>>,
    PromiseSettledResult<RunningEngine>,
  ],
  work: (engines: Engines) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  signal?.throwIfAborted();
  if (dynamoDB.status === 'rejected') throw dynamoDB.reason;
  if (sqs.status === 'rejected') throw sqs.reason;
  const { endpoint: dynamoDBEndpoint, name: dynamoDBEngine, failed } = dynamoDB.value;
  const working = work({ dynamoDBEndpoint, dynamoDBEngine, sqsEndpoint: sqs.value.endpoint });
  return await Promise.race([working, failed]);
}

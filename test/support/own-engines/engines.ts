import { type DynamoDBEngine, startDynamoDB, startSqsEmulator } from 'sagabox/local';
import { settleAll, settled } from '../../../lib/kernel/async/settle.ts';
import type { RunningEngine } from '../../../lib/local/engines/running-engine.ts';

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
 * Both engines, beside our own thread: DynamoDB in a process, the SQS emulator in a thread. Gone when the
 * work is over.
 *
 * @param work is given a signal to look at: it is aborted with `signal`, and when an engine ends in the
 *   middle
 * @param signal ends their start, too
 */
export async function withEngines<T>(
  work: (engines: Engines, signal: AbortSignal) => Promise<T>,
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
  work: (engines: Engines, signal: AbortSignal) => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  signal?.throwIfAborted();
  if (dynamoDB.status === 'rejected') throw dynamoDB.reason;
  if (sqs.status === 'rejected') throw sqs.reason;
  const { endpoint: dynamoDBEndpoint, name: dynamoDBEngine, failed } = dynamoDB.value;
  const engineEnd = new AbortController();
  failed.catch((error: unknown) => engineEnd.abort(error));
  const either = signal ? AbortSignal.any([signal, engineEnd.signal]) : engineEnd.signal;
  try {
    return await work({ dynamoDBEndpoint, dynamoDBEngine, sqsEndpoint: sqs.value.endpoint }, either);
  } catch (error) {
    // Whatever fails without its engine fails for that.
    engineEnd.signal.throwIfAborted();
    throw error;
  }
}

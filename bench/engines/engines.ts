import { startDynamoDBLocal, startSqsEmulator } from 'sagabox/local';

export interface Engines {
  readonly dynamoDBEndpoint: string;
  readonly sqsEndpoint: string;
}

/**
 * Both engines, beside our own thread: DynamoDB Local in a process, the SQS emulator in a thread. Gone when the work is over.
 *
 * @param signal ends their start; the work has to look at it by itself
 */
export async function withEngines<T>(
  work: (engines: Engines) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const options = signal ? { signal } : {};
  const starts = await Promise.allSettled([startDynamoDBLocal(options), startSqsEmulator(options)]);
  try {
    signal?.throwIfAborted();
    const [dynamoDB, sqs] = starts;
    if (dynamoDB.status === 'rejected') throw dynamoDB.reason;
    if (sqs.status === 'rejected') throw sqs.reason;
    return await work({ dynamoDBEndpoint: dynamoDB.value.endpoint, sqsEndpoint: sqs.value.endpoint });
  } finally {
    for (const start of starts) if (start.status === 'fulfilled') await start.value.stop();
  }
}

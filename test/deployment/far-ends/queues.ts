import { paginateListQueues, type SQSClient } from '@aws-sdk/client-sqs';

export async function queueUrls(sqs: SQSClient, prefix: string): Promise<string[]> {
  const urls: string[] = [];
  for await (const { QueueUrls = [] } of paginateListQueues({ client: sqs }, { QueueNamePrefix: prefix }))
    urls.push(...QueueUrls);
  return urls;
}

/** Error queues and dead-letter queues: what is there is counted apart. */
export function isForFailures(queueUrl: string): boolean {
  return /Error|DeadLetter|Undelivered/.test(queueUrl);
}

/** One queue may be called under several hosts. */
export function queueNameOf(queueUrl: string): string {
  return queueUrl.split('/').at(-1) ?? '';
}

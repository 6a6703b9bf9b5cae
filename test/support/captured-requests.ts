import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import { interceptCalls } from './intercepted-calls.ts';

/** What a client is to send, with its operation. */
export type CapturedRequest = { readonly operation: string } & Readonly<Record<string, unknown>>;

interface BatchInput {
  readonly Entries?: readonly { readonly Id?: string }[];
  readonly PublishBatchRequestEntries?: readonly { readonly Id?: string }[];
}

/**
 * Clients that hand over what they are to send, and answer at once: no engine shows a request as it was made.
 *
 * @param capture gets a batch as its entries, as it does not matter which share a call; what it throws is the
 *   answer
 */
export function capturingClients(capture: (request: CapturedRequest) => void) {
  const settings = { region: 'us-east-1', credentials: { accessKeyId: 'local', secretAccessKey: 'local' } };
  const clients = {
    sqsClient: new SQSClient({ ...settings, md5: false }),
    snsClient: new SNSClient(settings),
    eventBridgeClient: new EventBridgeClient(settings),
    schedulerClient: new SchedulerClient(settings),
    s3Client: new S3Client(settings),
  };
  for (const client of Object.values(clients)) {
    interceptCalls(client, 'call', async ({ operation, input }) => {
      const { Entries, PublishBatchRequestEntries, ...shared } = input as BatchInput;
      const entries = Entries ?? PublishBatchRequestEntries;
      // The id of an entry is of the call only.
      for (const { Id: _ofTheCall, ...entry } of entries ?? [{}]) capture({ operation, ...shared, ...entry });
      return { Failed: [], Successful: entries, Entries: entries?.map(() => ({ EventId: 'event' })) };
    });
  }
  return {
    clients,
    destroy: () => {
      for (const client of Object.values(clients)) client.destroy();
    },
  };
}

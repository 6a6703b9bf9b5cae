import { createHash } from 'node:crypto';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import { SchedulerClient } from '@aws-sdk/client-scheduler';
import { SNSClient } from '@aws-sdk/client-sns';
import { SQSClient } from '@aws-sdk/client-sqs';
import { interceptCalls } from '../../support/intercepted-calls.ts';

const LONGEST_TEXT = 10_000;

interface BatchInput {
  readonly Entries?: readonly { readonly Id?: string }[];
  readonly PublishBatchRequestEntries?: readonly { readonly Id?: string }[];
}

/**
 * Clients that keep what they are to send, and answer at once: no engine shows a request as it was made. A
 * batch is kept as its entries, as it does not matter which share a call.
 */
export function capturedRequests() {
  const requests: object[] = [];
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
      for (const { Id: _ofTheCall, ...entry } of entries ?? [{}]) {
        requests.push(comparable({ operation, ...shared, ...entry }));
      }
      return { Failed: [], Successful: entries, Entries: entries?.map(() => ({ EventId: 'event' })) };
    });
  }
  return {
    clients,
    /** What was sent since the last call. */
    takeRequests: () => requests.splice(0).toSorted(byText),
    destroy: () => {
      for (const client of Object.values(clients)) client.destroy();
    },
  };
}

export function byText(one: object, other: object): number {
  return JSON.stringify(one) < JSON.stringify(other) ? -1 : 1;
}

function comparable(request: object): object {
  return sorted(JSON.parse(JSON.stringify(request))) as object;
}

/** With properties by name, and a hash in place of a long text. */
function sorted(value: unknown): unknown {
  if (typeof value === 'string' && value.length > LONGEST_TEXT) {
    return `sha256 ${createHash('sha256').update(value).digest('hex')} of ${value.length} characters`;
  }
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, part]) => [name, sorted(part)]));
}

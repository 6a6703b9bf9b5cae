import { afterEach, describe, expect, it } from '@jest/globals';
import { EventSource } from '../../../lib/local/lambda/event-source.ts';
import { createQueue, sqsClient } from '../../support/engines.ts';
import { sendTo } from '../../support/received-records.ts';
import { waitUntil } from '../../support/wait-until.ts';

const eventSources: EventSource[] = [];

afterEach(async () => {
  for (const eventSource of eventSources.splice(0)) await eventSource.stop();
});

async function batchesOf(batchSize: number, messages: number): Promise<number[]> {
  const [client, queueUrl] = [sqsClient(), await createQueue()];
  for (let index = 0; index < messages; index++) {
    await sendTo(client, queueUrl, { type: 'Work', id: `m${index}`, body: {} });
  }
  const batches: number[] = [];
  const failures: unknown[] = [];
  const eventSource = new EventSource({
    definition: {
      functionName: 'Work',
      queueName: 'Work',
      queueArn: 'arn:aws:sqs:us-east-1:000000000000:Work',
      batchSize,
      reportsBatchItemFailures: true,
      maxConcurrency: undefined,
    },
    queueUrl,
    sqsClient: client,
    invoke: async () => ({ kind: 'result', result: null }),
    maxConcurrency: 1,
    redeliverAcknowledged: false,
    onInvocation: ({ acknowledgedMessageIds }) => batches.push(acknowledgedMessageIds.length),
    onFailure: (error) => failures.push(error),
  });
  eventSources.push(eventSource);
  eventSource.start();
  const handled = (): number => batches.reduce((sum, size) => sum + size, 0);
  await waitUntil(() => handled() === messages || failures.length > 0);
  expect(failures).toEqual([]);
  return batches;
}

describe('an event source', () => {
  it.each([
    [9, 25, [9, 9, 7]],
    [10, 25, [10, 10, 5]],
    [11, 25, [11, 11, 3]],
    [100, 25, [25]],
  ])('with a batch size of %i hands over %i messages as %j', async (batchSize, messages, batches) => {
    expect(await batchesOf(batchSize, messages)).toEqual(batches);
  });
});

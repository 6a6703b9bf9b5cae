import { describe, expect, it } from '@jest/globals';
import { recoverability, type SqsBatchOptions, sqsBatch } from 'sagabox';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { capturedSqs } from '../hostile/captured-sqs.ts';
import { record } from '../support/queue.ts';

const queueUrl = 'https://queues.test/orders';
const arn = 'arn:aws:sqs:us-east-1:000000000000:orders';

/** One message whose handler throws: the lines of its invocation, and the delays that its queue was told. */
async function fail(
  options: SqsBatchOptions = {},
  { receiveCount = 1, eventSourceARN = arn }: { receiveCount?: number; eventSourceARN?: string } = {},
) {
  const { client, visibilities } = capturedSqs();
  const lines: { message: string; [field: string]: unknown }[] = [];
  const note = (message: string, fields: object) => void lines.push({ message, ...fields });
  const handler = sqsBatch(
    () => {
      throw new RangeError('a bug');
    },
    {
      logger: { ...silentLogger, warn: note, error: note },
      sqsClient: client,
      throwOnFullBatchFailure: false,
      recoverability: { policy: () => recoverability.retryIn({ hours: 1 }) },
      ...options,
    },
  );
  const failing = record('Placed', {}, 'm1', { eventSourceARN });
  failing.attributes.ApproximateReceiveCount = String(receiveCount);
  const { batchItemFailures } = await handler({ Records: [failing] });
  expect(batchItemFailures).toHaveLength(1);
  return {
    lines,
    delays: visibilities.flatMap(({ Entries }) => Entries.map((each) => each.VisibilityTimeout)),
  };
}

describe('the line of a message that is returned', () => {
  it('tells the delay that its queue is told', async () => {
    const { lines, delays } = await fail({ queueUrl });
    expect(lines).toMatchObject([
      { message: 'A message failed and is returned to its queue', retryInSeconds: 3600 },
    ]);
    expect(delays).toEqual([3600]);
  });

  it('tells the longest delay that can be set in place of a longer one', async () => {
    const policy = () => recoverability.retryIn({ hours: 12 });
    const { lines, delays } = await fail({ queueUrl, recoverability: { policy } });
    expect([lines[0]?.retryInSeconds, ...delays]).toEqual([42_000, 42_000]);
  });

  it.each<[string, SqsBatchOptions, string]>([
    ['its queue is not known', {}, arn],
    ['it came from another queue', { queueUrl }, `${arn}-of-others`],
  ])('tells no delay if %s', async (_why, options, eventSourceARN) => {
    const { lines, delays } = await fail(options, { eventSourceARN });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.message).toBe(
      'A message failed and is returned to its queue without a delay of its own',
    );
    expect(lines[0]).not.toHaveProperty('retryInSeconds');
    expect(delays).toEqual([]);
  });

  it('tells that its last delivery was the last one', async () => {
    const { lines } = await fail({ queueUrl, maxReceiveCount: 3 }, { receiveCount: 3 });
    expect(lines).toHaveLength(1);
    expect(lines[0]?.message).toBe('A message failed at its last delivery and goes to the dead letter queue');
    expect(lines[0]).not.toHaveProperty('retryInSeconds');
  });

  it('is taken back for each message of a call that fails', async () => {
    const { client } = capturedSqs();
    client.middlewareStack.add(
      () => async () => {
        throw new Error('no network');
      },
      { step: 'initialize', name: 'no network' },
    );
    const { lines } = await fail({ queueUrl, sqsClient: client });
    expect(lines).toMatchObject([
      { retryInSeconds: 3600 },
      {
        message: expect.stringContaining('Some changes of visibility failed'),
        failed: 1,
        refused: [{ sqsMessageId: lines[0]?.sqsMessageId }],
        error: { message: 'no network' },
      },
    ]);
  });
});

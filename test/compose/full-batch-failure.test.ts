import { expect, it } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { SagaboxError, type SqsBatchOptions, sqsBatch } from 'sagabox';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { capturedSqs } from '../hostile/captured-sqs.ts';
import { record } from '../support/queue.ts';

const arn = 'arn:aws:sqs:us-east-1:000000000000:orders';
function recordOf(id: string, eventSourceARN: string): SQSRecord {
  const made = record('Placed', {}, id, { eventSourceARN });
  made.attributes.MessageGroupId = 'tenant';
  return made;
}

const conflict = () =>
  new SagaboxError('SagaConcurrency', { sagaName: 'Order', sagaId: '7', operation: 'update' });

/** One batch of two, whose handler does this with them. */
async function invoke(
  handle: (message: { readonly id: string }) => void,
  options: SqsBatchOptions = {},
  queueArn = arn,
) {
  const { client, visibilities } = capturedSqs();
  const handler = sqsBatch(async (message: { readonly id: string }) => handle(message), {
    logger: silentLogger,
    queueUrl: 'https://queues.test/orders',
    sqsClient: client,
    recoverability: { immediateRetries: { maxRetries: 0 } },
    ...options,
  });
  const [first, second] = [recordOf('m1', queueArn), recordOf('m2', queueArn)];
  const outcome = await handler({ Records: [first, second] }).then(
    ({ batchItemFailures }) => batchItemFailures.length,
    (error: unknown) => error,
  );
  return { outcome, delayed: visibilities.flatMap(({ Entries }) => Entries).length };
}

const fail = (error: unknown = new RangeError('a bug')) => {
  throw error;
};

it('a batch of which every record failed throws, after its delays were set', async () => {
  const { outcome, delayed } = await invoke(() => fail());
  expect(outcome).toMatchObject({
    code: 'BatchFailed',
    facts: { failed: 2, failures: ['RangeError'] },
    cause: expect.any(RangeError),
  });
  expect(delayed).toBe(2);
});

it('throws for what handlers throw, undefined too', async () => {
  const { outcome } = await invoke(() => {
    throw undefined;
  });
  expect(outcome).toMatchObject({ code: 'BatchFailed', facts: { failures: ['Unknown'] } });
});

it.each<[string, (message: { readonly id: string }) => void, SqsBatchOptions]>([
  ['when that is not wanted', () => fail(), { throwOnFullBatchFailure: false }],
  ['for a conflict among them', ({ id }) => fail(id === 'm1' ? conflict() : undefined), {}],
])('returns its records %s', async (_when, handle, options) => {
  expect(await invoke(handle, options)).toEqual({ outcome: 2, delayed: 2 });
});

it('returns the records of a FIFO group of which one failed: those behind it were not started', async () => {
  let runs = 0;
  const handle = () => {
    runs += 1;
    fail();
  };
  const { outcome } = await invoke(handle, {}, 'arn:aws:sqs:us-east-1:000000000000:orders.fifo');
  expect([outcome, runs]).toEqual([2, 1]);
});

it('a batch of which one record was handled returns the others', async () => {
  const { outcome } = await invoke(({ id }) => {
    if (id === 'm2') fail();
  });
  expect(outcome).toBe(1);
});

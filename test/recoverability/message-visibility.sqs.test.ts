import type { SQSClient } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { SqsMessageVisibility } from '../../lib/recoverability/message-visibility.sqs.ts';
import { createQueue, sqsClient } from '../support/engines.ts';
import { ClientFaults, disableSdkRetries, sqsError } from '../support/faults.ts';
import { record } from '../support/queue.ts';
import { receiveRecords, sendTo } from '../support/received-records.ts';

let client: SQSClient;
let faults: ClientFaults;
let queueUrl: string;
let visibility: SqsMessageVisibility;
const { signal } = new AbortController();

beforeEach(async () => {
  client = sqsClient();
  faults = new ClientFaults(client);
  queueUrl = await createQueue();
  visibility = new SqsMessageVisibility({ client, queueUrl });
});

const secondsAsked = () =>
  faults.requests
    .filter(({ operation }) => operation === 'ChangeMessageVisibilityBatch')
    .map(({ input }) => input.Entries.map((entry: { VisibilityTimeout: number }) => entry.VisibilityTimeout));

const changesFor = (...seconds: number[]) =>
  seconds.map((each) => ({ record: record('A', {}), seconds: each }));

describe('the visibility of messages', () => {
  it('is changed: what has no delay comes back at once, and what has one does not', async () => {
    await sendTo(client, queueUrl, { body: 'soon' });
    await sendTo(client, queueUrl, { body: 'later' });
    const records = await receiveRecords(client, queueUrl);
    const changes = records.map((each) => ({ record: each, seconds: each.body === 'soon' ? 0 : 60 }));
    expect(await visibility.change(changes, signal)).toEqual([]);
    expect((await receiveRecords(client, queueUrl)).map(({ body }) => body)).toEqual(['soon']);
  });

  it.each([
    [0, 0],
    [1.4, 1],
    [42_000, 42_000],
    [42_001, 42_000],
    [43_200, 42_000],
  ])('of %d s is asked for as %i s, within the 12 hours of SQS', async (seconds, asked) => {
    await visibility.change(changesFor(seconds), signal);
    expect(secondsAsked()).toEqual([[asked]]);
  });

  it.each([
    [0, []],
    [10, [10]],
    [11, [10, 1]],
  ])('of %i messages is changed in calls for %j', async (count, calls) => {
    await visibility.change(changesFor(...Array.from({ length: count }, () => 5)), signal);
    expect(secondsAsked().map((entries) => entries.length)).toEqual(calls);
  });

  it('that SQS does not accept is returned, and the others are changed', async () => {
    await sendTo(client, queueUrl, { body: 'known' });
    const [known] = await receiveRecords(client, queueUrl);
    const failures = await visibility.change(
      [...changesFor(5), { record: known as never, seconds: 0 }],
      signal,
    );
    const sqsMessageId = expect.any(String);
    expect(failures).toMatchObject([{ Id: '0', Code: 'ReceiptHandleIsInvalid', sqsMessageId }]);
    expect(await receiveRecords(client, queueUrl)).toHaveLength(1);
  });

  it('is not worth failing for', async () => {
    disableSdkRetries(client);
    faults.fail('ChangeMessageVisibilityBatch', sqsError('ServiceUnavailable'));
    const changes = changesFor(...Array.from({ length: 11 }, () => 5));
    const sqsMessageIds = changes.map(({ record }) => ({ sqsMessageId: record.messageId }));
    // The first call failed as a whole, the second one for its unknown message.
    expect(await visibility.change(changes, signal)).toMatchObject([
      { name: 'ServiceUnavailable' },
      ...sqsMessageIds.slice(0, 10),
      { Code: 'ReceiptHandleIsInvalid', ...sqsMessageIds[10] },
    ]);
  });
});

it('is not asked for a record without a receipt handle, which would spoil the call for the others', async () => {
  const [lost, ...others] = changesFor(1, 2);
  const without = {
    ...lost,
    record: { ...lost?.record, receiptHandle: {} },
  } as unknown as (typeof others)[number];
  const failures = await visibility.change([without, ...others], signal);
  expect(secondsAsked()).toEqual([[2]]);
  expect(failures).toContainEqual({
    sqsMessageId: lost?.record.messageId,
    Message: 'its record has no receipt handle',
  });
});

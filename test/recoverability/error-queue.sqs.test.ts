import type { SQSClient } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { FailureFacts } from '../../lib/messages/failures/failure-facts.ts';
import { SqsErrorQueue } from '../../lib/recoverability/error-queue.sqs.ts';
import { createQueue, sqsClient } from '../support/engines.ts';
import { codeOf, sagaboxErrorOf } from '../support/error-of.ts';
import { ClientFaults, disableSdkRetries, sqsError } from '../support/faults.ts';
import { record } from '../support/queue.ts';
import { receiveMessages } from '../support/received-records.ts';

let client: SQSClient;
let faults: ClientFaults;

beforeEach(() => {
  client = sqsClient();
  faults = new ClientFaults(client);
});

const facts: FailureFacts = {
  queue: 'https://queues.test/orders',
  failedAt: '2026-01-02T03:04:05.678Z',
  code: 'TypeError',
  message: 'a bug \uFFFF',
  stack: 'at pay\n\tat handle',
  receiveCount: 1,
};

async function forward(fields: Parameters<typeof record>[3], queue: { FifoQueue?: string } = {}) {
  const queueUrl = await createQueue(queue);
  const { signal } = new AbortController();
  const errorQueue = new SqsErrorQueue({ client, queueUrl });
  await errorQueue.forward(record('Placed', {}, 'm1', fields), 'm1', facts, signal);
  const [message] = await receiveMessages(client, queueUrl);
  const { input } = faults.requests.find(({ operation }) => operation === 'SendMessage') ?? {};
  return { message, input };
}

const attributes = (MessageGroupId?: string) => ({
  ApproximateReceiveCount: '1',
  SentTimestamp: '0',
  SenderId: 'x',
  ApproximateFirstReceiveTimestamp: '0',
  ...(MessageGroupId === undefined ? {} : { MessageGroupId }),
});

describe('the error queue', () => {
  it('gets the body as it came, and the failure in characters that SQS takes', async () => {
    const { message } = await forward({ body: ' {"total" : 1.10}\n' });
    expect(message?.Body).toBe(' {"total" : 1.10}\n');
    expect(JSON.parse(message?.MessageAttributes?.['Sagabox.Failure']?.StringValue ?? '')).toEqual(facts);
  });

  it.each<[string, string | undefined, object]>([
    ['standard, of a standard one', undefined, {}],
    ['standard, of one with groups', 'tenant', { MessageGroupId: 'tenant' }],
    ['FIFO, of a FIFO one', 'a', { MessageGroupId: 'a', MessageDeduplicationId: 'sqs-1' }],
    ['FIFO, of a standard one', undefined, { MessageGroupId: 'sqs-1', MessageDeduplicationId: 'sqs-1' }],
  ])('%s: gets the group and the id of the delivery', async (kind, group, expected) => {
    const fields = { messageId: 'sqs-1', attributes: attributes(group) };
    const { input } = await forward(fields, kind.startsWith('FIFO') ? { FifoQueue: 'true' } : {});
    const { MessageGroupId, MessageDeduplicationId } = input;
    expect(JSON.parse(JSON.stringify({ MessageGroupId, MessageDeduplicationId }))).toEqual(expected);
  });

  it('tells why it did not take a message', async () => {
    disableSdkRetries(client);
    faults.fail('SendMessage', sqsError('ServiceUnavailable'));
    const error = await sagaboxErrorOf(forward({}));
    expect(error).toMatchObject({
      code: 'ForwardFailed',
      facts: { messageId: 'm1', detail: 'ServiceUnavailable: ServiceUnavailable of the test' },
      cause: { name: 'ServiceUnavailable' },
    });
  });

  it('gets nothing that SQS has no room for', async () => {
    const error = await sagaboxErrorOf(forward({ body: 'x'.repeat(1024 * 1024) }));
    expect(error).toMatchObject({ code: 'ForwardFailed', message: expect.stringContaining('no room') });
    expect(faults.operations).not.toContain('SendMessage');
  });
});

it('leaves out of a forward what SQS cannot have sent', async () => {
  const messageAttributes = {
    odd: null,
    none: { dataType: 'String' },
    tenant: { dataType: 'String', stringValue: 'a' },
  };
  const { message } = await forward({ messageAttributes } as unknown as Parameters<typeof forward>[0]);
  expect(Object.keys(message?.MessageAttributes ?? {}).toSorted()).toEqual([
    'Sagabox.Failure',
    'Sagabox.MessageId',
    'tenant',
  ]);
});

it('refuses to forward a record without a body', async () => {
  const fields = { body: null } as unknown as Parameters<typeof forward>[0];
  expect(await codeOf(forward(fields))).toBe('ForwardFailed');
});

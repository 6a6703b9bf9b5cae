import { PublishCommand } from '@aws-sdk/client-sns';
import {
  CreateQueueCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { describe, expect, it } from '@jest/globals';
import { buildApp } from 'fauxqs';
import { localClientConfig } from '../../../../lib/local/app/identity.ts';
import { clientAt, createQueue, snsClient, sqsClient } from '../../../support/engines.ts';
import { createTopic, subscribeQueue } from '../../../support/event-resources.ts';
import { receiveMessages } from '../../../support/received-records.ts';

async function bodiesIn(queueUrl: string): Promise<unknown[]> {
  return (await receiveMessages(sqsClient(), queueUrl, 1)).map(({ Body }) => Body);
}

describe('characters of messages on the SQS emulator', () => {
  it.each(['😀', '𐀀', '\u{10FFFF}', '\uFFFD', 'a\tb\r\n'])('takes %j, alone and in a batch', async (body) => {
    const QueueUrl = await createQueue();
    await sqsClient().send(new SendMessageCommand({ QueueUrl, MessageBody: body }));
    const Entries = [{ Id: 'a', MessageBody: `${body} in a batch` }];
    const { Failed: failed } = await sqsClient().send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    expect(failed ?? []).toEqual([]);
    expect(await bodiesIn(QueueUrl)).toEqual([body, `${body} in a batch`]);
  });

  it('takes them in FIFO queues, and through topics', async () => {
    const fifo = await createQueue({ FifoQueue: 'true', ContentBasedDeduplication: 'true' });
    await sqsClient().send(
      new SendMessageCommand({ QueueUrl: fifo, MessageBody: '😀', MessageGroupId: 'g' }),
    );
    expect(await bodiesIn(fifo)).toEqual(['😀']);
    const [TopicArn, queueUrl] = [await createTopic(), await createQueue()];
    await subscribeQueue(TopicArn, queueUrl, { RawMessageDelivery: 'true' });
    await snsClient().send(new PublishCommand({ TopicArn, Message: '😀' }));
    expect(await bodiesIn(queueUrl)).toEqual(['😀']);
  });

  it.each(['\u0000', '\u000B', '\uFFFE', '\uD83D'])('refuses %j, as SQS does', async (body) => {
    const QueueUrl = await createQueue();
    await expect(
      sqsClient().send(new SendMessageCommand({ QueueUrl, MessageBody: body })),
    ).rejects.toMatchObject({ name: expect.stringContaining('InvalidMessageContents') });
    const Entries = [{ Id: 'a', MessageBody: body }];
    const { Failed: failed } = await sqsClient().send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    expect(failed).toMatchObject([{ Id: 'a', Code: 'InvalidMessageContents' }]);
  });

  it('needs its work-around: fauxqs itself refuses them', async () => {
    const fauxqs = buildApp({ logger: false });
    const endpoint = await fauxqs.listen({ port: 0, host: '127.0.0.1' });
    try {
      const client = clientAt(SQSClient, endpoint);
      await client.send(new CreateQueueCommand({ QueueName: 'own' }));
      const QueueUrl = `${endpoint}/000000000000/own`;
      // When this fails, takeEveryCharacter and the row in docs/reference/engines.md can go.
      await expect(
        client.send(new SendMessageCommand({ QueueUrl, MessageBody: '😀' })),
      ).rejects.toMatchObject({ name: expect.stringContaining('InvalidMessageContents') });
    } finally {
      await fauxqs.close();
    }
  });
});

describe('queue URLs of the SQS emulator', () => {
  it('lead to it, also for a client without an endpoint', async () => {
    const url = await createQueue();
    const { region, credentials } = localClientConfig('');
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    const client = new SQSClient({ region, credentials, logger });
    await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: 'by its URL' }));
    client.destroy();
    expect(await bodiesIn(url)).toEqual(['by its URL']);
  });

  it('are the same in every answer', async () => {
    const url = await createQueue();
    const QueueName = url.split('/').at(-1);
    const { QueueUrl } = await sqsClient().send(new GetQueueUrlCommand({ QueueName }));
    const { QueueUrls } = await sqsClient().send(new ListQueuesCommand({ QueueNamePrefix: QueueName }));
    const expected = `${process.env.SAGABOX_TEST_SQS_ENDPOINT}/000000000000/${QueueName}`;
    expect([url, QueueUrl, QueueUrls]).toEqual([expected, expected, [expected]]);
  });
});

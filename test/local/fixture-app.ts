import { join } from 'node:path';
import {
  GetQueueAttributesCommand,
  type Message,
  SendMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { LocalApp } from '../../lib/local/app/start.ts';
import { receiveMessages } from '../support/received-records.ts';

/**
 * A hand-written cloud assembly: the queue Work feeds the function Echo, which counts in Ledger and sends to
 * Out.
 */
export const fixtureAssembly = join(import.meta.dirname, 'fixtures', 'assembly');

/** What the function does with a message after counting it; `hang`, `spin` and `die` come before. */
export type Fate = 'succeed' | 'fail' | 'hang' | 'spin' | 'die';

export async function sendWork(app: LocalApp, client: SQSClient, id: string, fate: Fate): Promise<void> {
  await client.send(
    new SendMessageCommand({
      QueueUrl: app.queueUrl('Fixture-Work'),
      MessageBody: JSON.stringify({ id, fate }),
      MessageAttributes: { Kind: { DataType: 'String', StringValue: 'work' } },
    }),
  );
}

/** Takes the messages of a queue until there are as many as asked for. */
export async function receive(
  app: LocalApp,
  client: SQSClient,
  queue: string,
  count: number,
): Promise<Message[]> {
  const received: Message[] = [];
  while (received.length < count) received.push(...(await receiveMessages(client, app.queueUrl(queue), 5)));
  return received;
}

/** Messages that are ready, in flight or delayed. */
export async function messagesIn(app: LocalApp, client: SQSClient, queue: string): Promise<number> {
  const { Attributes: attributes = {} } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: app.queueUrl(queue), AttributeNames: ['All'] }),
  );
  return (
    Number(attributes.ApproximateNumberOfMessages) +
    Number(attributes.ApproximateNumberOfMessagesNotVisible) +
    Number(attributes.ApproximateNumberOfMessagesDelayed)
  );
}

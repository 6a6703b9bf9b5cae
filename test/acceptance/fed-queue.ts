import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { PublishCommand } from '@aws-sdk/client-sns';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { createQueue, eventBridgeClient, snsClient } from '../support/engines.ts';
import { createEventBus, createRule, createTopic, subscribeQueue } from '../support/event-resources.ts';
import { sendTo } from '../support/received-records.ts';

export interface Way {
  /** Sends one message, and returns the id that it is to be known by; nothing for the one that SQS gives. */
  readonly send: (note: string) => Promise<string | undefined>;
  /** How many messages arrive in the queue. */
  readonly copies: number;
  /** Whether a copy under a new SQS id, as a redrive makes it, is taken for another message. */
  readonly losesIdInRedrive?: true;
}

/** A queue fed by topics with raw and wrapped delivery, and by two rules of an event bus. */
export interface FedQueue {
  readonly queueUrl: string;
  readonly ways: Readonly<Record<string, Way>>;
}

export async function fedQueue(sqs: SQSClient): Promise<FedQueue> {
  const [sns, eventBridge] = [snsClient(), eventBridgeClient()];
  const queueUrl = await createQueue();
  const topics = { raw: await createTopic(), wrapped: await createTopic() };
  await subscribeQueue(topics.raw, queueUrl, { RawMessageDelivery: 'true' });
  await subscribeQueue(topics.wrapped, queueUrl);
  const bus = await createEventBus();
  for (const pattern of [{ source: ['shop'] }, { 'detail-type': ['Noted', 'Ignored'] }]) {
    await createRule(bus, pattern, queueUrl);
  }

  const publish = async (TopicArn: string, message: unknown, attributes: Record<string, string> = {}) => {
    const MessageAttributes = Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [name, { DataType: 'String', StringValue: value }]),
    );
    const command = new PublishCommand({ TopicArn, Message: JSON.stringify(message), MessageAttributes });
    return (await sns.send(command)).MessageId ?? '';
  };

  const putEvent = async (detail: unknown, Source = 'shop') => {
    const entry = { EventBusName: bus, Source, DetailType: 'Noted', Detail: JSON.stringify(detail) };
    const { Entries } = await eventBridge.send(new PutEventsCommand({ Entries: [entry] }));
    return Entries?.[0]?.EventId ?? '';
  };

  const twice = async (id: string, send: () => Promise<unknown>) => {
    await send();
    await send();
    return id;
  };

  const ways: Record<string, Way> = {
    'a plain producer': {
      send: async (note) => await sendTo(sqs, queueUrl, { body: { note } }),
      copies: 1,
      losesIdInRedrive: true,
    },
    'a plain producer that sets the id': {
      send: (note) => twice('plain-1', () => sendTo(sqs, queueUrl, { body: { note }, id: 'plain-1' })),
      copies: 2,
    },
    'SNS, raw, with the attributes of sagabox': {
      send: (note) => twice('raw-1', () => publish(topics.raw, { note }, own('raw-1'))),
      copies: 2,
    },
    'SNS, raw': {
      async send(note) {
        await publish(topics.raw, { note });
        return undefined;
      },
      copies: 1,
      losesIdInRedrive: true,
    },
    'SNS, wrapped': {
      send: async (note) => await publish(topics.wrapped, { note }),
      copies: 1,
    },
    'SNS, wrapped, with the attributes of sagabox': {
      send: (note) => twice('wrapped-1', () => publish(topics.wrapped, { note }, own('wrapped-1'))),
      copies: 2,
    },
    EventBridge: {
      send: async (note) => await putEvent({ note }),
      copies: 2,
    },
    CloudEvents: {
      send: (note) => twice('urn:shop#A-1', () => sendTo(sqs, queueUrl, { body: cloudEvent('A-1', note) })),
      copies: 2,
    },
    'a format that only a parser knows': {
      async send(note) {
        await sendTo(sqs, queueUrl, { body: `NOTE;1;${note}` });
        return 'note-1';
      },
      copies: 1,
    },
    'CloudEvents by SNS': {
      async send(note) {
        await publish(topics.raw, cloudEvent('A-2', note));
        await publish(topics.wrapped, cloudEvent('A-2', note));
        return 'urn:shop#A-2';
      },
      copies: 2,
    },
    'CloudEvents by EventBridge, which their producer puts again': {
      send: (note) => twice('000000000000#shop#urn:shop#A-2', () => putEvent(cloudEvent('A-2', note))),
      copies: 4,
    },
    'the same CloudEvents, of another source': {
      send: (note) =>
        twice('000000000000#partner#urn:shop#A-2', () => putEvent(cloudEvent('A-2', note), 'partner')),
      copies: 2,
    },
    'an event of another account, with the id of a message of sagabox': {
      send: (note) =>
        twice('222233334444#sagabox.shop#raw-1', () =>
          sendTo(sqs, queueUrl, { body: eventOfOtherAccount('raw-1', note) }),
        ),
      copies: 2,
    },
    'an event, and its replay from an archive': {
      async send(note) {
        const event = eventOf({ account: '000000000000', detail: { note } });
        await sendTo(sqs, queueUrl, { body: event });
        await sendTo(sqs, queueUrl, { body: { ...event, 'replay-name': 'again' } });
        return event.id;
      },
      copies: 2,
    },
  };

  return { queueUrl, ways };
}

function own(id: string): Record<string, string> {
  return { 'Sagabox.MessageId': id, 'Sagabox.MessageType': 'Noted' };
}

function cloudEvent(id: string, note: string) {
  return { specversion: '1.0', id, source: 'urn:shop', type: 'Noted', data: { note } };
}

function eventOf(fields: { readonly account: string; readonly source?: string; readonly detail: object }) {
  return {
    version: '0',
    id: '6a7e8feb-b491-4cf7-a9f1-bf3703467718',
    'detail-type': 'Noted',
    source: 'shop',
    time: '2026-02-03T04:05:06Z',
    region: 'us-east-1',
    resources: [],
    ...fields,
  };
}

/** As a bus of another account forwards it. */
function eventOfOtherAccount(id: string, note: string) {
  const sagabox = { 'Sagabox.MessageId': id, 'Sagabox.ReplyTo': 'shop' };
  return eventOf({ account: '222233334444', source: 'sagabox.shop', detail: { note, sagabox } });
}

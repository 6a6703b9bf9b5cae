import { describe, expect, it } from '@jest/globals';
import { sentMessages } from '../../../lib/cli/local/sent-messages.ts';

const attribute = (StringValue: string) => ({ DataType: 'String', StringValue });
const attributes = {
  'Sagabox.MessageId': attribute('m1'),
  'Sagabox.MessageType': attribute('ChargeCard'),
  count: { DataType: 'Binary', BinaryValue: 'AA==' },
};
const QueueUrl = 'http://127.0.0.1:4566/000000000000/billing';
const message = { id: 'm1', type: 'ChargeCard', to: 'billing' };

function sent(operation: string, request: object, body: object = {}, status = 200) {
  const call = { instanceId: 'i', functionName: 'f', service: 'sqs', operation } as const;
  return sentMessages({ ...call, request: { ...request } }, { status, body: { ...body } });
}

describe('the messages that a call sent', () => {
  it.each([
    ['a message', { MessageAttributes: attributes }, {}],
    ['one with a delay', { MessageAttributes: attributes, DelaySeconds: 60 }, { delaySeconds: 60 }],
    ['one without attributes', {}, { id: undefined, type: undefined }],
  ])('are in SendMessage: %s', (_what, entry, facts) => {
    expect(sent('SendMessage', { QueueUrl, MessageBody: '{}', ...entry })).toEqual([
      { ...message, ...facts },
    ]);
  });

  it('are those of a batch that SQS took', () => {
    const entry = { MessageBody: '{}', MessageAttributes: attributes };
    const Entries = ['a', 'b'].map((Id) => ({ Id, ...entry }));
    expect(sent('SendMessageBatch', { QueueUrl, Entries }, { Failed: [{ Id: 'b' }] })).toEqual([message]);
    expect(sent('SendMessageBatch', { QueueUrl, Entries })).toHaveLength(2);
  });

  it('are in the forms of SNS', () => {
    const fields = (prefix: string) => ({
      [`${prefix}Message`]: '{}',
      [`${prefix}MessageAttributes.entry.1.Name`]: 'Sagabox.MessageType',
      [`${prefix}MessageAttributes.entry.1.Value.StringValue`]: 'OrderPlaced',
      [`${prefix}MessageAttributes.entry.2.Name`]: 'Sagabox.MessageId',
      [`${prefix}MessageAttributes.entry.2.Value.StringValue`]: 'm2',
    });
    const TopicArn = 'arn:aws:sns:us-east-1:000000000000:orders';
    const published = { id: 'm2', type: 'OrderPlaced', to: 'orders' };
    expect(sent('Publish', { TopicArn, ...fields('') })).toEqual([published]);
    const [first, second] = [1, 2].map((number) => `PublishBatchRequestEntries.member.${number}.`);
    const batch = { TopicArn, [`${first}Id`]: '0', ...fields(`${first}`), [`${second}Id`]: '1' };
    expect(sent('PublishBatch', { ...batch, ...fields(`${second}`) })).toEqual([published, published]);
  });

  it('are the events that a bus took', () => {
    const Detail = JSON.stringify({ sagabox: { 'Sagabox.MessageId': 'm3' } });
    const Entries = [
      { DetailType: 'OrderPlaced', EventBusName: 'arn:aws:events:us-east-1:0:event-bus/shop', Detail },
      { DetailType: 'OrderPlaced', Detail: 'no JSON' },
      { DetailType: 'Refused', Detail },
    ];
    expect(sent('PutEvents', { Entries }, { Entries: [{}, {}, { ErrorCode: 'InternalFailure' }] })).toEqual([
      { id: 'm3', type: 'OrderPlaced', to: 'shop' },
      { id: undefined, type: 'OrderPlaced', to: 'default' },
    ]);
  });

  it('are those of a schedule, with its time', () => {
    const Input = JSON.stringify({ QueueUrl, MessageBody: '{}', MessageAttributes: attributes });
    const request = { Target: { Input }, ScheduleExpression: 'at(2026-11-24T10:00:00)' };
    expect(sent('CreateSchedule', request)).toEqual([{ ...message, dueAt: '2026-11-24T10:00:00Z' }]);
  });

  it('are none of a call that was refused, or sends nothing', () => {
    expect(sent('SendMessage', { QueueUrl, MessageBody: '{}' }, {}, 400)).toEqual([]);
    expect(sent('DeleteMessage', { QueueUrl })).toEqual([]);
  });
});

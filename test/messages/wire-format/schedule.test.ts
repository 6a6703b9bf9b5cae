import { describe, expect, it } from '@jest/globals';
import type { QueueDestination } from '../../../lib/messages/destinations/destination.ts';
import { outgoingMessageId } from '../../../lib/messages/message-id.ts';
import { scheduleInput, scheduleName } from '../../../lib/messages/wire-format/schedule.ts';
import { outgoingMessage } from '../../support/outgoing-messages.ts';

const queue: QueueDestination = {
  kind: 'queue',
  name: 'billing',
  queueUrl: 'https://queues.test/billing',
  fifo: false,
};
const requestOf = (...parameters: Parameters<typeof scheduleInput>) =>
  JSON.parse(scheduleInput(...parameters));

describe('the request of a schedule', () => {
  it('is that which sends the message', () => {
    const text = { DataType: 'String' };
    expect(requestOf(outgoingMessage(), queue)).toEqual({
      QueueUrl: 'https://queues.test/billing',
      MessageBody: '{"orderId":"42"}',
      MessageAttributes: {
        'Sagabox.CausationId': { ...text, StringValue: 'in-1' },
        'Sagabox.MessageId': { ...text, StringValue: 'out-1' },
        'Sagabox.MessageType': { ...text, StringValue: 'ChargeCard' },
      },
    });
  });

  it('has the group of the message, and in a FIFO queue the id that tells its copies', () => {
    const message = outgoingMessage({ messageGroupId: 'g' });
    expect(requestOf(message, queue)).toMatchObject({ MessageGroupId: 'g' });
    expect(requestOf(message, queue)).not.toHaveProperty('MessageDeduplicationId');
    expect(requestOf(message, { ...queue, fifo: true })).toMatchObject({
      MessageGroupId: 'g',
      MessageDeduplicationId: 'out-1',
    });
  });

  it('holds no bracket that EventBridge Scheduler would replace, and means the same', () => {
    const message = outgoingMessage({ body: '<aws.scheduler.scheduled-time> < <' });
    expect(scheduleInput(message, queue)).not.toContain('<');
    expect(JSON.parse(requestOf(message, queue).MessageBody)).toBe(message.body);
  });
});

describe('the name of a schedule', () => {
  it('is one for one message', () => {
    expect(scheduleName('out-1')).toBe('sagabox-out-1');
  });

  // Source: CreateSchedule in the API reference of EventBridge Scheduler.
  it('is one that EventBridge Scheduler takes, whatever the message is sent for', () => {
    const names = ['in', 'i'.repeat(1_024), 'i/ü<'].flatMap((incomingId) =>
      [0, 9_999, 'o'.repeat(1_024)].map((ordinal) =>
        scheduleName(outgoingMessageId(incomingId, 'e'.repeat(1_024), ordinal)),
      ),
    );
    expect(new Set(names).size).toBe(9);
    for (const name of names) expect(name).toMatch(/^[0-9a-zA-Z_.-]{1,64}$/);
  });
});

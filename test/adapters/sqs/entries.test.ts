import { describe, expect, it } from '@jest/globals';
import { toEntry } from '../../../lib/adapters/sqs/entries.ts';
import { outgoingMessage } from '../../support/outgoing-messages.ts';

const queue = {
  kind: 'queue',
  name: 'billing',
  queueUrl: 'https://sqs.test/1/billing',
  fifo: false,
} as const;
const fifoQueue = {
  kind: 'queue',
  name: 'billing',
  queueUrl: 'https://sqs.test/1/billing.fifo',
  fifo: true,
} as const;

describe('an entry', () => {
  it('has the body as JSON, and every header as an attribute with the id and the type', () => {
    const message = outgoingMessage({ headers: { trace: 'ünï', 'Sagabox.CausationId': 'in-1' } });
    expect(toEntry(message, queue, 3)).toEqual({
      Id: '3',
      MessageBody: '{"orderId":"42"}',
      MessageAttributes: {
        trace: { DataType: 'String', StringValue: 'ünï' },
        'Sagabox.CausationId': { DataType: 'String', StringValue: 'in-1' },
        'Sagabox.MessageId': { DataType: 'String', StringValue: 'out-1' },
        'Sagabox.MessageType': { DataType: 'String', StringValue: 'ChargeCard' },
      },
    });
  });

  it.each([
    [null, 'null'],
    ['', '""'],
    [[], '[]'],
    [JSON.parse('{"__proto__":1}'), '{"__proto__":1}'],
  ])('has the body %j as JSON', (body, json) => {
    expect(toEntry(outgoingMessage({ body }), queue, 0).MessageBody).toBe(json);
  });

  it('takes its id and type from the message, whatever its headers say', () => {
    const headers = { 'Sagabox.MessageId': 'other', 'Sagabox.MessageType': 'Other' };
    const { MessageAttributes } = toEntry(outgoingMessage({ headers }), queue, 0);
    expect(MessageAttributes?.['Sagabox.MessageId']?.StringValue).toBe('out-1');
    expect(MessageAttributes?.['Sagabox.MessageType']?.StringValue).toBe('ChargeCard');
  });

  it.each([0, 900])('has a delay of %i seconds', (delaySeconds) => {
    expect(toEntry(outgoingMessage({ delaySeconds }), queue, 0)).toHaveProperty('DelaySeconds', delaySeconds);
  });

  it('has no delay of its own when none was asked for: that of the queue holds', () => {
    expect(toEntry(outgoingMessage(), queue, 0)).not.toHaveProperty('DelaySeconds');
  });

  it('is deduplicated by the message id in a FIFO queue, in its group', () => {
    const entry = toEntry(outgoingMessage({ messageGroupId: 'order-42' }), fifoQueue, 0);
    expect(entry).toMatchObject({ MessageGroupId: 'order-42', MessageDeduplicationId: 'out-1' });
  });

  it('has no deduplication id outside FIFO queues, which refuse it; a group is for fair queues', () => {
    const entry = toEntry(outgoingMessage({ messageGroupId: 'tenant-1' }), queue, 0);
    expect(entry).not.toHaveProperty('MessageDeduplicationId');
    expect(entry).toHaveProperty('MessageGroupId', 'tenant-1');
    expect(toEntry(outgoingMessage(), queue, 0)).not.toHaveProperty('MessageGroupId');
  });
});

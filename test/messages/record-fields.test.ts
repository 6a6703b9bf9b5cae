import { describe, expect, it } from '@jest/globals';
import {
  accountOf,
  firstReceivedAtOf,
  messageGroupIdOf,
  queueArnOf,
  receiveCountOf,
  sentAtOf,
} from '../../lib/messages/record-fields.ts';

const withAttributes = (attributes: unknown) => ({ attributes });

describe('the fields of a record', () => {
  it('are read as SQS writes them', () => {
    const record = {
      attributes: {
        ApproximateReceiveCount: '3',
        ApproximateFirstReceiveTimestamp: '1767225660000',
        SentTimestamp: '1767225600000',
        MessageGroupId: 'g',
      },
      eventSourceARN: 'arn:aws:sqs:us-east-1:123456789012:orders',
    };
    expect(receiveCountOf(record)).toBe(3);
    expect(sentAtOf(record)).toEqual(new Date('2026-01-01T00:00:00Z'));
    expect(firstReceivedAtOf(record)).toEqual(new Date('2026-01-01T00:01:00Z'));
    expect(messageGroupIdOf(record)).toBe('g');
    expect(queueArnOf(record)).toBe(record.eventSourceARN);
    expect(accountOf(record)).toBe('123456789012');
  });

  it.each(['NaN', '', '0', '-1', '1.5', '1e400', 2, null, { toString: 1, valueOf: 1 }, undefined])(
    'count a first delivery where they say %p',
    (ApproximateReceiveCount) => {
      expect(receiveCountOf(withAttributes({ ApproximateReceiveCount }))).toBe(1);
    },
  );

  it.each(['soon', '1e99', {}, undefined])('tell no first delivery where they say %p', (time) => {
    expect(firstReceivedAtOf(withAttributes({ ApproximateFirstReceiveTimestamp: time }))).toBeUndefined();
  });

  it.each(['soon', '1e99', {}, undefined])('tell no time where they say %p', (SentTimestamp) => {
    expect(sentAtOf(withAttributes({ SentTimestamp }))).toEqual(new Date(0));
  });

  it.each<unknown>([5, {}, { toString: 1 }, null])(
    'tell no group and no queue where they say %p',
    (value) => {
      expect(messageGroupIdOf(withAttributes({ MessageGroupId: value }))).toBeUndefined();
      expect(queueArnOf({ eventSourceARN: value })).toBeUndefined();
      expect(accountOf({ eventSourceARN: value })).toBeUndefined();
    },
  );

  it.each([null, undefined, 'text', 5, []])('may be missing altogether: %p', (attributes) => {
    expect(receiveCountOf(withAttributes(attributes))).toBe(1);
    expect(sentAtOf(withAttributes(attributes))).toEqual(new Date(0));
    expect(messageGroupIdOf(withAttributes(attributes))).toBeUndefined();
  });
});

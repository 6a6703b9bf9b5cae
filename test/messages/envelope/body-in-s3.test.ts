import { describe, expect, it } from '@jest/globals';
import { readEnvelope } from '../../../lib/messages/envelope.ts';
import { refusalOf } from '../../sending/unit-of-work-of.ts';
import { bodyRecord, notification } from '../envelope-records.ts';

const place = { s3BucketName: 'bodies', s3Key: '7f' };
const body = ['software.amazon.payloadoffloading.PayloadS3Pointer', place];
const size = { ExtendedPayloadSize: '300000' };

describe('a body that the extended client of Amazon keeps in S3', () => {
  it.each([
    ['from SQS', bodyRecord(body, size)],
    ['with a type', bodyRecord(body, { ...size, 'Sagabox.MessageType': 'Placed' })],
    [
      'of its first version',
      bodyRecord(['com.amazon.sqs.javamessaging.MessageS3Pointer', place], { SQSLargePayloadSize: '300000' }),
    ],
    [
      'from SNS, wrapped',
      bodyRecord(notification(body, { ExtendedPayloadSize: { Type: 'Number', Value: '300000' } })),
    ],
    ['without attributes', bodyRecord(body)],
  ])('is refused with what to do: %s', (_case, record) => {
    const error = refusalOf(() => readEnvelope(record));
    expect(error.code).toBe('InvalidMessage');
    expect(error.message).toContain('its body is in S3');
    expect(error.message).toContain("Read its place with the option 'parse'");
  });

  it('is read by a parser', () => {
    const parse = () => ({ type: 'Placed', body: place });
    expect(readEnvelope(bodyRecord(body, size), { parse })).toMatchObject({ id: 'sqs-1', body: place });
  });

  it.each([
    ['a message of sagabox', body, { 'Sagabox.MessageType': 'Placed' }],
    ['another class', ['com.shop.Order', place], size],
    ['no key', [body[0], { s3BucketName: 'bodies' }], size],
    ['no bucket', [body[0], { s3Key: '7f' }], size],
    ['a text as its place', [body[0], 'bodies/7f'], size],
    ['more', [...body, {}], size],
    ['an object', { ...body }, size],
  ])('is none that has %s', (_case, other, attributes) => {
    expect(readEnvelope(bodyRecord(other, attributes)).body).toEqual(other);
  });
});

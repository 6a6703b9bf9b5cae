import { expect, it } from '@jest/globals';
import {
  fromMessageAttributes,
  toMessageAttributes,
} from '../../lib/recoverability/message-attributes.sqs.ts';

const bytes = Uint8Array.of(0, 255, 7);
const wire = {
  text: { dataType: 'String.url', stringValue: '' },
  count: { dataType: 'Number', stringValue: '42' },
  photo: { dataType: 'Binary.gzip', binaryValue: Buffer.from(bytes).toString('base64') },
};
const ofSqs = {
  text: { DataType: 'String.url', StringValue: '' },
  count: { DataType: 'Number', StringValue: '42' },
  photo: { DataType: 'Binary.gzip', BinaryValue: Buffer.from(bytes) },
};

it('attributes are sent as they are, bytes as bytes', () => {
  expect(toMessageAttributes(wire)).toEqual(ofSqs);
});

it('attributes are received as they were sent, bytes as base64', () => {
  expect(fromMessageAttributes({ ...ofSqs, photo: { DataType: 'Binary.gzip', BinaryValue: bytes } })).toEqual(
    wire,
  );
  expect(fromMessageAttributes(undefined)).toEqual({});
});

it('an attribute without a value or a type is an empty one', () => {
  expect(toMessageAttributes({ none: { dataType: 'Binary' } })).toEqual({
    none: { DataType: 'Binary', BinaryValue: Buffer.alloc(0) },
  });
  expect(fromMessageAttributes({ none: { DataType: undefined } })).toEqual({
    none: { dataType: 'String', binaryValue: '' },
  });
});

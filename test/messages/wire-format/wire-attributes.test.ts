import { describe, expect, it } from '@jest/globals';
import {
  receivedAttributes,
  stringAttribute,
  wireAttributesBytes,
} from '../../../lib/messages/wire-format/wire-attributes.ts';

const text = (stringValue: string) => ({ dataType: 'String', stringValue });
const binary = (binaryValue: string) => ({ dataType: 'Binary', binaryValue });

describe('the bytes of attributes', () => {
  it.each([
    ['none', {}, 0],
    ['a string', { tenant: text('a') }, 'tenant'.length + 'String'.length + 1],
    ['a string of two bytes a character', { é: text('é') }, 2 + 'String'.length + 2],
    ['an empty string', { a: text('') }, 1 + 'String'.length],
    ['three bytes in base64', { a: binary('AQID') }, 1 + 'Binary'.length + 3],
    ['a padded byte in base64', { a: binary('AQ==') }, 1 + 'Binary'.length + 1],
    ['no value', { a: { dataType: 'String' } }, 1 + 'String'.length],
    ['two', { a: text('x'), b: text('yz') }, 2 * (1 + 'String'.length) + 3],
  ])('are those that SQS counts: %s', (_name, attributes, bytes) => {
    expect(wireAttributesBytes(attributes)).toBe(bytes);
  });
});

describe('received attributes', () => {
  it('are those that SQS can have sent', () => {
    const sent = { a: text('x'), b: binary('AQ=='), c: text('') };
    const others = {
      d: null,
      e: 'text',
      f: { stringValue: 'x' },
      g: { dataType: 7, stringValue: 'x' },
      h: { dataType: 'String' },
      i: { dataType: 'String', stringValue: 7 },
      j: { dataType: 'Binary', binaryValue: {} },
    };
    expect(receivedAttributes({ ...sent, ...others })).toEqual(sent);
  });

  it.each([undefined, null, 7, {}])('of %j are none', (messageAttributes) => {
    expect(receivedAttributes(messageAttributes)).toEqual({});
  });

  it('are strings like those that are added', () => {
    expect(receivedAttributes({ a: stringAttribute('x') })).toEqual({ a: text('x') });
  });
});

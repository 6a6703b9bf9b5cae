import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hasSqsCharacters } from '../../../lib/messages/wire-format/sqs-characters.ts';
import { wireJson } from '../../../lib/messages/wire-format/wire-json.ts';
import { sampled } from '../../support/samples.ts';

describe('JSON on its way out', () => {
  it('escapes what JSON leaves as it is, and SQS refuses', () => {
    expect(wireJson({ 'a\uFFFE': ['\uFFFF', '\\uFFFE'] })).toBe('{"a\\ufffe":["\\uffff","\\\\uFFFE"]}');
  });

  it('has characters that SQS takes, whatever it holds, and the same value', () => {
    const everyCharacter = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).join('|');
    const anyString = fc.string({ unit: 'binary' });
    const property = fc.property(fc.dictionary(anyString, anyString), (value) => {
      const json = wireJson(value);
      expect(hasSqsCharacters(json)).toBe(true);
      expect(JSON.parse(json)).toEqual(value);
    });
    fc.assert(property, { ...sampled(200), examples: [[{ everyCharacter }]] });
  });
});

import { describe, expect, it } from '@jest/globals';
import { pendingBytes, readPending } from '../../../lib/outbox/embedded/pending-bytes.ts';

const storedAt = new Date('2026-01-02T03:04:05.678Z');
const packed = Uint8Array.of(7, 8, 9);

describe('what is pending of one message', () => {
  it.each([
    ['s', '019b7ca98f2e01070809'],
    ['sb', '019b7ca98f2e03070809'],
  ] as const)('is its time, its encoding and its operations: %s', (encoding, hex) => {
    const bytes = pendingBytes({ storedAt, encoding, packed });
    expect(Buffer.from(bytes).toString('hex')).toBe(hex);
    const { packed: read, ...others } = readPending(bytes);
    expect([others, [...read]]).toEqual([{ storedAt, encoding }, [...packed]]);
  });

  it.each(['', '019b7ca98f2e', '019b7ca98f2e0007', '019b7ca98f2e0207', '019b7ca98f2e0407'])(
    'is refused if it is damaged: %j',
    (hex) => {
      expect(() => readPending(Buffer.from(hex, 'hex'))).toThrow('what is pending is damaged');
    },
  );
});

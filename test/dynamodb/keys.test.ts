import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  assertKeyName,
  contributionKey,
  messageIdOfPartition,
  outboxChunkKey,
  outboxPartitionPrefix,
  outboxRecordKey,
  sagaKey,
} from '../../lib/dynamodb/keys.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('keys', () => {
  it('are those that the tables hold', () => {
    expect(sagaKey({ name: 'OrderSaga', id: '42' })).toEqual({
      partition: 'SAGA#OrderSaga#42',
      sort: 'SAGA',
    });
    expect(outboxRecordKey('orders', 'in-1')).toEqual({ partition: 'OUTBOX#orders#in-1', sort: 'RECORD' });
    expect(outboxChunkKey('orders', 'in-1', 12)).toEqual({
      partition: 'OUTBOX#orders#in-1',
      sort: 'CHUNK#0012',
    });
  });

  it.each([
    ['512 bytes', 'x'.repeat(512), false],
    ['513 bytes', 'x'.repeat(513), true],
    ['256 characters of two bytes', 'é'.repeat(256), false],
    ['257 characters of two bytes', 'é'.repeat(257), true],
  ])('replace a value by its hash over 512 bytes: %s', (_case, value, hashed) => {
    const expected = hashed ? sha256(value) : value;
    expect(sagaKey({ name: 'S', id: value }).partition).toBe(`SAGA#S#${expected}`);
    expect(outboxRecordKey('e', value).partition).toBe(`OUTBOX#e#${expected}`);
  });

  it('tell a hash that is a value from the hash of a value', () => {
    const long = 'x'.repeat(513);
    expect(outboxRecordKey('e', sha256(long))).not.toEqual(outboxRecordKey('e', long));
    expect(sagaKey({ name: 'S', id: sha256(long) })).not.toEqual(sagaKey({ name: 'S', id: long }));
  });

  it('stay within the key size of DynamoDB', () => {
    const name = 'é'.repeat(256);
    for (const id of ['x'.repeat(512), 'x'.repeat(100_000)]) {
      const keys = [sagaKey({ name, id }), outboxRecordKey(name, id), outboxChunkKey(name, id, 9999)];
      for (const { partition } of keys) {
        expect(Buffer.byteLength(partition)).toBeLessThanOrEqual(2048);
      }
    }
  });

  it('stay within the size of a sort key, of contributions too, and apart', () => {
    const saga = { name: 'S', id: '1' };
    const of = (endpoint: string, messageId: string) =>
      contributionKey({
        ...{ saga, createdAt: new Date(0), key: 'k'.repeat(128) },
        ...{ endpoint, messageId, ordinal: 99 },
      }).sort;
    const endpoint = 'é'.repeat(256);
    const sorts = [of(endpoint, 'x'.repeat(512)), of(endpoint, 'y'.repeat(512)), of('f'.repeat(512), 'x')];
    for (const sort of sorts) expect(Buffer.byteLength(sort)).toBeLessThanOrEqual(1024);
    expect(new Set(sorts).size).toBe(3);
    expect(of('orders', 'm-1')).toContain('#orders#m-1#99');
  });

  it('sort the chunks of one record in their order', () => {
    const sorts = [1, 2, 9, 10, 11, 98].map((number) => outboxChunkKey('e', 'm', number).sort);
    expect(sorts.toSorted()).toEqual(sorts);
  });
});

describe('the partition key of a record', () => {
  const hash = sha256('any');

  it.each(['in-1', '', 'a#b', 'x'.repeat(512), `${hash}0`, `x${hash}`, hash.toUpperCase(), hash.slice(1)])(
    'tells its message id: %j',
    (messageId) => {
      expect(messageIdOfPartition('orders', outboxRecordKey('orders', messageId).partition)).toBe(messageId);
    },
  );

  it.each([hash, 'x'.repeat(513)])('does not tell a message id that is hashed in it: %j', (messageId) => {
    expect(messageIdOfPartition('orders', outboxRecordKey('orders', messageId).partition)).toBeUndefined();
  });

  it('begins with what those of no other endpoint begin with', () => {
    const { partition } = outboxRecordKey('orders', 'in-1');
    expect(partition.startsWith(outboxPartitionPrefix('orders'))).toBe(true);
    for (const other of ['order', 'orders2', 'orders in-1', 'Orders']) {
      expect(partition.startsWith(outboxPartitionPrefix(other))).toBe(false);
    }
  });
});

describe('assertKeyName', () => {
  it.each(['orders', 'x'.repeat(512), 'é'.repeat(256), 'with space', '订单', '😀'])('takes %j', (name) => {
    expect(() => assertKeyName('endpoint', name)).not.toThrow();
  });

  it.each(['', 'a#b', '#', 'x'.repeat(513), 'é'.repeat(257), '\ud800', 'a\udc00', undefined, null, 7])(
    'refuses %j',
    (name) => {
      expect(() => assertKeyName('endpoint', name)).toThrow(
        expect.objectContaining({
          code: 'Configuration',
          facts: {
            setting: 'endpoint',
            problem: `${JSON.stringify(name)} cannot be part of a key`,
            remedy: "Use a string of 1 to 512 bytes without '#'",
          },
        }),
      );
    },
  );
});

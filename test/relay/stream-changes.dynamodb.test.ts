import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { tableDefaults } from '../../lib/dynamodb/table-defaults.ts';
import { changesOf, type StreamRecord } from '../../lib/relay/stream-changes.dynamodb.ts';
import { sampled } from '../support/samples.ts';

const table = { ...tableDefaults, tableName: 'messages' };
const keys = (partition: string, sort: string) => ({ PK: { S: partition }, SK: { S: sort } });
const record = (NewImage: object | undefined, others: object = {}): StreamRecord => ({
  eventName: 'MODIFY',
  dynamodb: { Keys: keys('OUTBOX#orders#m1', 'RECORD'), NewImage, SequenceNumber: '7', ...others },
});
const ofSaga = (NewImage: object | undefined) => record(NewImage, { Keys: keys('SAGA#Order#1', 'SAGA') });
const mayBeUnsent = (change: StreamRecord) => changesOf([change], table).map((each) => each.mayBeUnsent);

it('a change has the key of its item, and its place in the order', () => {
  expect(
    changesOf([record({ dispatched: { BOOL: false } }, { SequenceNumber: '123456789012345678901' })], table),
  ).toEqual([
    {
      item: { partition: 'OUTBOX#orders#m1', sort: 'RECORD' },
      sequence: 123456789012345678901n,
      mayBeUnsent: true,
    },
  ]);
});

describe('of a record', () => {
  it.each([
    ['what is undispatched', { dispatched: { BOOL: false } }, true],
    ['what is dispatched', { dispatched: { BOOL: true } }, false],
    ['the lease on a request, which is no record yet', { lease: { M: {} } }, false],
    ['a change without its image', undefined, true],
  ])('%s', (_what, image, expected) => {
    expect(mayBeUnsent(record(image))).toEqual([expected]);
  });

  it('what is gone is sent: nothing undispatched is ever deleted', () => {
    expect(mayBeUnsent({ ...record(undefined), eventName: 'REMOVE' })).toEqual([false]);
  });
});

describe('of a saga', () => {
  it.each([
    ['with entries', { pending: { M: { a: { M: {} } } } }, true],
    ['without entries', { pending: { M: {} } }, false],
    ['without an embedded outbox', { state: { M: {} } }, false],
    ['a change without its image', undefined, true],
  ])('%s', (_what, image, expected) => {
    expect(mayBeUnsent(ofSaga(image))).toEqual([expected]);
  });
});

it.each(['CHUNK#0001', 'APPEND#x', '2026-01-02T03:04:05.678Z#00', 'WATCHER'])(
  'an item %s holds nothing to send',
  (sort) => {
    expect(
      changesOf([record({ dispatched: { BOOL: false } }, { Keys: keys('OUTBOX#orders#m1', sort) })], table),
    ).toEqual([]);
  },
);

it('the keys have the names that the table has', () => {
  const named = { ...table, partitionKeyName: 'id', sortKeyName: 'kind' };
  const Keys = { id: { S: 'OUTBOX#orders#m1' }, kind: { S: 'RECORD' } };
  expect(changesOf([record({ dispatched: { BOOL: false } }, { Keys })], named)).toHaveLength(1);
  expect(changesOf([record({ dispatched: { BOOL: false } }, { Keys })], table)).toEqual([]);
});

it('no form of a change stops it', () => {
  const value = fc.anything({ maxDepth: 4, withNullPrototype: true });
  const image = fc.oneof(
    value,
    fc.record({ dispatched: value, pending: value }, { requiredKeys: [] }),
    fc.record({ pending: fc.record({ M: value }) }),
  );
  const change = fc.record(
    {
      eventName: value,
      dynamodb: fc.oneof(
        value,
        fc.record({
          Keys: fc.oneof(
            value,
            fc.constant(keys('OUTBOX#a#b', 'RECORD')),
            fc.constant(keys('SAGA#a#b', 'SAGA')),
          ),
          NewImage: image,
          SequenceNumber: value,
        }),
      ),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(change), (records) => {
      expect(changesOf(records, table).length).toBeLessThanOrEqual(records.length);
    }),
    sampled(5_000),
  );
});

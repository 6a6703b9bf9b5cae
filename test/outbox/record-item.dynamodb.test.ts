import { describe, expect, it } from '@jest/globals';
import type { Item } from '../../lib/dynamodb/item-attributes.ts';
import { itemSize } from '../../lib/dynamodb/item-size.ts';
import { tableDefaults } from '../../lib/dynamodb/table-defaults.ts';
import { fromRecordItem, storedBytes, toDispatchedItem } from '../../lib/outbox/record-item.dynamodb.ts';
import { at, outboxWrite } from '../support/commits.ts';
import { operationsOfSize, outgoingMessage } from '../support/outgoing-messages.ts';

const table = { ...tableDefaults, tableName: 'outbox' };
const outbox = { table, endpoint: 'orders', deduplicationPeriodSeconds: 60 };

it('a dispatched record whose time of storage is unknown is as old as its dispatch', () => {
  const record = { ...outboxWrite('in-1', [outgoingMessage()]), storedAt: new Date(Number.NaN) };
  expect(toDispatchedItem(outbox, record, at).storedAt).toEqual({ S: at.toISOString() });
});

describe('the bytes that a mark replaces', () => {
  const bytesOf = (record: Parameters<typeof toDispatchedItem>[1]) => {
    const item = toDispatchedItem(outbox, record, at);
    return storedBytes(item, record) - itemSize(item);
  };

  it('include the packed operations of a record that was just stored', () => {
    expect(bytesOf(outboxWrite('in-1', operationsOfSize(5000)))).toBe(5000);
  });

  it('are unknown beyond the record itself for one that was read back', () => {
    const { packed: _packed, ...found } = outboxWrite('in-1', operationsOfSize(5000));
    expect(bytesOf(found)).toBe(0);
  });
});

const item: Item = {
  schemaVersion: { N: '1' },
  chunkCount: { N: '0' },
  dispatched: { BOOL: false },
  storedAt: { S: '2026-01-02T03:04:05.678Z' },
  operationCount: { N: '0' },
};
const until = new Date('2026-01-02T03:10:00.000Z');
const leaseWith = (fields: Item) => ({
  M: { owner: { S: 'a' }, until: { N: String(until.getTime()) }, ...fields },
});

describe('the lease of a stored record', () => {
  it.each<[string, Item, object | undefined]>([
    ['is none where none is stored', {}, undefined],
    ['is none where it has no end', { lease: { M: { owner: { S: 'a' } } } }, undefined],
    ['ends when it says', { lease: leaseWith({}) }, { until }],
    ['is that of a relay at work', { lease: leaseWith({ postponed: { BOOL: false } }) }, { until }],
    [
      'is that of one that put it off',
      { lease: leaseWith({ postponed: { BOOL: true } }) },
      { until, postponed: true },
    ],
  ])('%s', (_name, fields, lease) => {
    expect(fromRecordItem(outbox, 'm1', { ...item, ...fields }).lease).toEqual(lease);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { Item } from '../../../../lib/adapters/dynamodb/calls/item-target.ts';
import { fromRecordItem } from '../../../../lib/adapters/dynamodb/outbox/outbox-item.ts';
import { tableDefaults } from '../../../../lib/core/storage/table-defaults.ts';

const outbox = {
  table: { ...tableDefaults, tableName: 'outbox' },
  endpoint: 'orders',
  deduplicationPeriodSeconds: 604_800,
};
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

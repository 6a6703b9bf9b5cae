import { describe, expect, it } from '@jest/globals';
import { storedBytes, toDispatchedItem } from '../../../../lib/adapters/dynamodb/outbox/outbox-item.ts';
import { itemSize } from '../../../../lib/core/storage/item-size.ts';
import { tableDefaults } from '../../../../lib/core/storage/table-defaults.ts';
import { at, fingerprint, outboxWrite } from '../../../support/commits.ts';
import { operationsOfSize, outgoingMessage } from '../../../support/outgoing-messages.ts';

const outbox = {
  table: { ...tableDefaults, tableName: 'T' },
  endpoint: 'orders',
  deduplicationPeriodSeconds: 60,
  relayIndex: true,
};
const later = new Date('2026-01-02T04:00:00.500Z');

describe('a dispatched record', () => {
  it('has all that deduplication needs, and nothing of the messages', () => {
    const record = { ...outboxWrite('in-1', [outgoingMessage(), outgoingMessage()]), chunkCount: 3 };
    expect(toDispatchedItem(outbox, record, later)).toEqual({
      PK: { S: 'OUTBOX#orders#in-1' },
      SK: { S: 'RECORD' },
      dispatched: { BOOL: true },
      operationCount: { N: '2' },
      chunkCount: { N: '0' },
      storedAt: { S: '2026-01-02T03:04:05.678Z' },
      hash: { B: fingerprint },
      dispatchedAt: { S: '2026-01-02T04:00:00.500Z' },
      // 04:00:01, rounded up, and 60 s.
      ExpiresAt: { N: String(Date.UTC(2026, 0, 2, 4, 1, 1) / 1000) },
      schemaVersion: { N: '1' },
    });
  });

  it('whose time of storage is unknown is as old as its dispatch', () => {
    const record = { ...outboxWrite('in-1', [outgoingMessage()]), storedAt: new Date(Number.NaN) };
    expect(toDispatchedItem(outbox, record, at).storedAt).toEqual({ S: at.toISOString() });
  });
});

describe('the bytes that a mark replaces', () => {
  const bytesOf = (record: Parameters<typeof toDispatchedItem>[1]) => {
    const item = toDispatchedItem(outbox, record, later);
    return storedBytes(item, record) - itemSize(item);
  };

  it('include the packed operations of a record that was just stored', () => {
    expect(bytesOf(outboxWrite('in-1', operationsOfSize(5000)))).toBe(5000);
  });

  it('are unknown beyond the record itself for one that was read back', () => {
    const { messageId, dispatched, storedAt, operations, chunkCount } = outboxWrite(
      'in-1',
      operationsOfSize(5000),
    );
    expect(bytesOf({ messageId, dispatched, storedAt, operations, chunkCount })).toBe(0);
  });
});

import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { itemSize } from '../../lib/dynamodb/item-size.ts';
import { tableDefaults } from '../../lib/dynamodb/table-defaults.ts';
import { type outboxWrite, recordOf } from '../../lib/outbox/record.ts';
import { toChunkItems, toRecordItem } from '../../lib/outbox/record-item.dynamodb.ts';
import { recordItemSizes, recordWriteUnits } from '../../lib/outbox/record-size.ts';
import { at, fingerprint } from '../support/commits.ts';
import { outgoingMessage } from '../support/outgoing-messages.ts';
import { sampled } from '../support/samples.ts';

const content = fc.record({
  endpoint: fc.string({ minLength: 1, maxLength: 50 }),
  messageId: fc.oneof(
    fc.constant('0f'.repeat(32)),
    fc.string({ minLength: 1 }),
    fc.string({ minLength: 500, maxLength: 600, unit: 'grapheme' }),
  ),
  operations: fc.array(fc.constant(outgoingMessage()), { minLength: 1, maxLength: 120 }),
  storedAt: fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }),
  fingerprint: fc.constantFrom(undefined, fingerprint),
});

function itemsOf(endpoint: string, write: ReturnType<typeof outboxWrite>) {
  const table = { ...tableDefaults, tableName: 'any' };
  const outbox = { table, endpoint, deduplicationPeriodSeconds: 604_800 };
  return [toRecordItem(outbox, write, at), ...toChunkItems(outbox, write)];
}

it('the sizes of a record and its chunks are those of the items that are written', () => {
  fc.assert(
    fc.property(
      content,
      fc.nat(1_100_000),
      fc.constantFrom('s' as const, 'sb' as const),
      (record, bytes, encoding) => {
        const write = recordOf(record, new Uint8Array(bytes), encoding);
        expect(recordItemSizes(record.endpoint, write)).toEqual(
          itemsOf(record.endpoint, write).map(itemSize),
        );
      },
    ),
    sampled(200),
  );
});

it('the write units of a record are those of its items, each rounded up by itself', () => {
  const record = { endpoint: 'orders', messageId: 'in-1', operations: [outgoingMessage()], storedAt: at };
  const emptySize = recordItemSizes('orders', recordOf(record, new Uint8Array(), 's'))[0] ?? 0;
  const unitsOf = (bytes: number) => recordWriteUnits('orders', recordOf(record, new Uint8Array(bytes), 's'));
  expect(unitsOf(1024 - emptySize)).toBe(1);
  expect(unitsOf(1025 - emptySize)).toBe(2);
  // 350 KB with its keys takes 351 units, one byte with its keys takes one, and the record without operations
  // too.
  expect(unitsOf(350 * 1024 + 1)).toBe(351 + 1 + 1);
});

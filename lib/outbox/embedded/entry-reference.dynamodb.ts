import { type Item, keyAttributes } from '../../dynamodb/item-attributes.ts';
import { SAGA_SORT_KEY } from '../../dynamodb/keys.ts';
import type { Table } from '../../dynamodb/table-defaults.ts';
import type { RecordReference } from '../record.ts';
import type { RecordSagaItem } from './record-saga-item.ts';

/** A reference to a record that is an entry in the item of a saga. */
export interface EntryReference {
  readonly messageId: string;
  readonly sagaItem: Pick<RecordSagaItem, 'partition' | 'key'>;
}

export function isEntry<Reference extends RecordReference>(
  record: Reference,
): record is Reference & EntryReference {
  return record.sagaItem !== undefined;
}

/** Returns the key of the item that holds the record. */
export function sagaItemKey(
  table: Table,
  { sagaItem: { partition } }: { readonly sagaItem: Pick<RecordSagaItem, 'partition'> },
): Item {
  return keyAttributes(table, { partition, sort: SAGA_SORT_KEY });
}

import type { Item } from '../../dynamodb/item-attributes.ts';
import type { SagaIdentity } from '../../dynamodb/keys.ts';
import type { Table } from '../../dynamodb/table-defaults.ts';
import { isSagaboxError } from '../../kernel/errors/errors.ts';
import { readEmbedded } from '../../outbox/embedded/read-embedded.dynamodb.ts';
import { defaultMapper } from '../../saga/item/mapper.dynamodb.ts';
import { loadedSaga } from '../../saga/item/read-saga-item.dynamodb.ts';
import type { LoadedSaga } from '../../saga/saga-store.ts';

/** Why the state of a saga cannot be read. */
export interface UnreadableState {
  readonly code: string;
  readonly message: string;
}

/** Damaged ones are shown too, as far as they can be read. */
export function loadedItem(
  item: Item,
  identity: SagaIdentity,
  table: Table,
): { readonly loaded?: LoadedSaga; readonly problem?: UnreadableState } {
  try {
    const loaded = loadedSaga(item, identity, { table, mapper: defaultMapper, readEmbedded });
    loaded.stored?.readState();
    return { loaded };
  } catch (error) {
    if (!isSagaboxError(error)) throw error;
    return { problem: { code: error.code, message: error.message } };
  }
}

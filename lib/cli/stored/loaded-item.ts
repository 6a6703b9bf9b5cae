import { readEmbedded } from '../../adapters/dynamodb/embedded/read-embedded.ts';
import { defaultMapper } from '../../adapters/dynamodb/saga/mapper.ts';
import { loadedSaga } from '../../adapters/dynamodb/saga/saga-item.ts';
import { isSagaboxError } from '../../core/failures/errors.ts';
import type { Item } from '../../core/storage/item-attributes.ts';
import type { SagaIdentity } from '../../core/storage/keys.ts';
import type { Table } from '../../core/storage/table-defaults.ts';
import type { LoadedSaga } from '../../ports/saga-store.ts';

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

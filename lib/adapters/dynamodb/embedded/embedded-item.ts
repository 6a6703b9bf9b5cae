import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { Inbox } from '../../../core/embedded/inbox.ts';
import type { SagaItem } from '../../../core/embedded/saga-item.ts';
import { SagaboxError } from '../../../core/failures/errors.ts';
import { thrownMessage } from '../../../core/failures/thrown.ts';
import {
  EMBEDDED_SCHEMA,
  FIRST_STATE_VERSION,
  type Item,
  schemaProblem,
  schemasOfRecords,
} from '../../../core/storage/item-attributes.ts';
import { itemSize } from '../../../core/storage/item-size.ts';
import type { SagaIdentity } from '../../../core/storage/keys.ts';
import { uuidOf } from '../../../core/storage/uuid-bytes.ts';
import type { LoadedSaga } from '../../../ports.ts';
import type { StateMapper } from '../saga/mapper.ts';
import { fromTimeoutAttribute, storedAttributes, storedState } from '../saga/saga-item.ts';
import type { Table } from '../table.ts';
import { pendingEntry, whole } from './pending-entry.ts';

/**
 * A saga with an embedded outbox, by its item. An item without a version is a lock on a saga that does not exist
 * yet.
 *
 * @throws SagaboxError `OtherSagaForm`, `UnreadableItem`
 */
export function fromEmbeddedItem(
  item: Item | undefined,
  saga: SagaIdentity,
  mapper: StateMapper,
  table: Table,
): LoadedSaga {
  if (item?.version === undefined) return { stored: undefined, item: undefined };
  const { name: sagaName, id: sagaId } = saga;
  if (schemaProblem(item, schemasOfRecords) === undefined) {
    throw new SagaboxError('OtherSagaForm', { sagaName, sagaId, stored: 'records', expected: 'embedded' });
  }
  try {
    return readItem(item, saga, mapper, table);
  } catch (error) {
    if (error instanceof SagaboxError) throw error;
    const facts = { item: `The '${sagaName}' saga with id '${sagaId}'`, detail: thrownMessage(error) };
    throw new SagaboxError('UnreadableItem', facts, { cause: error });
  }
}

function readItem(item: Item, saga: SagaIdentity, mapper: StateMapper, table: Table): LoadedSaga {
  const { version, commitId, state, stateVersion, timeouts, createdAt, updatedAt, inbox, pending } = item;
  const problem = schemaProblem(item, [EMBEDDED_SCHEMA]);
  if (problem) throw new Error(problem);
  const endpoint = item.endpoint?.S;
  if (endpoint === undefined) throw new Error('it has no endpoint');
  if (commitId?.B === undefined) throw new Error('it has no commitId');
  if (inbox?.B === undefined) throw new Error('it has no inbox');
  if (pending?.M === undefined) throw new Error('it has no map of what is pending');
  const revision = { version: whole(version, 'version'), commitId: uuidOf(commitId.B) };
  const expiresAt = item[table.timeToLiveAttributeName]?.N;
  const read: SagaItem = {
    endpoint,
    revision,
    isTombstone: state === undefined,
    inbox: new Inbox(inbox.B),
    pending: new Map(Object.entries(pending.M).map(([key, entry]) => [key, pendingEntry(entry)])),
    hasTimeouts: timeouts !== undefined,
    updatedAt: dateOf(updatedAt, 'updatedAt'),
    ...(expiresAt !== undefined && { expiresAt: new Date(Number(expiresAt) * 1000) }),
    isOverflowed: item.overflowed?.BOOL === true,
    bytes: itemSize(item),
  };
  if (state === undefined) return { stored: undefined, item: read };
  const stored = {
    ...storedState(storedAttributes(item, saga), saga, mapper),
    stateVersion: stateVersion === undefined ? FIRST_STATE_VERSION : whole(stateVersion, 'stateVersion'),
    revision,
    createdAt: dateOf(createdAt, 'createdAt'),
    timeouts: (timeouts?.L ?? []).map(fromTimeoutAttribute),
  };
  return { stored, item: read };
}

function dateOf(value: AttributeValue | undefined, name: string): Date {
  return new Date(whole(value, name) * 1000);
}

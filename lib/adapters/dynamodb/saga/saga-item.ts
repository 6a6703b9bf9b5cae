import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { isSagaboxError, SagaboxError } from '../../../core/failures/errors.ts';
import { thrownMessage } from '../../../core/failures/thrown.ts';
import { isNestedDeeper } from '../../../core/outgoing/nesting.ts';
import type { PendingTimeout } from '../../../core/saga/pending-timeouts.ts';
import { KeptState, type SagaWrite, type StoredSaga } from '../../../core/saga/saga-state.ts';
import { decompressState } from '../../../core/storage/compressed-state.ts';
import { isEncoding } from '../../../core/storage/compression.ts';
import {
  EMBEDDED_SCHEMA,
  FIRST_STATE_VERSION,
  type Item,
  schemaProblem,
  schemasOfRecords,
} from '../../../core/storage/item-attributes.ts';
import type { SagaIdentity } from '../../../core/storage/keys.ts';
import { MAX_ATTRIBUTE_LEVELS } from '../../../core/storage/state-attributes.ts';
import { isSameState } from '../../shared/same-state.ts';
import type { StateMapper } from './mapper.ts';

/** @throws SagaboxError `UnsupportedState` for a state that cannot be stored */
export function stateAttributes(
  mapper: StateMapper,
  { saga, state }: { readonly saga: SagaIdentity; readonly state: unknown },
): Item {
  if (KeptState.is(state)) return state.value as Item;
  try {
    const attributes = mapper.toAttributes(state);
    if (isNestedDeeper(attributes, MAX_ATTRIBUTE_LEVELS)) throw new Error('it is nested over 31 levels deep');
    return attributes;
  } catch (error) {
    const facts = { sagaName: saga.name, sagaId: saga.id, detail: thrownMessage(error) };
    throw new SagaboxError('UnsupportedState', facts, { cause: error });
  }
}

/** A write with the attributes that the mapper makes of its state now. */
export function keptWrite(mapper: StateMapper, write: SagaWrite): SagaWrite {
  if (write.kind === 'complete') return write;
  return { ...write, state: new KeptState(stateAttributes(mapper, write)) };
}

/** `undefined` for an item without a version: that is a lock on a saga that does not exist yet. */
export function fromSagaItem(item: Item, saga: SagaIdentity, mapper: StateMapper): StoredSaga | undefined {
  if (item.version === undefined) return undefined;
  if (item.schemaVersion?.N === String(EMBEDDED_SCHEMA)) {
    const { name: sagaName, id: sagaId } = saga;
    throw new SagaboxError('OtherSagaForm', { sagaName, sagaId, stored: 'embedded', expected: 'records' });
  }
  const version = Number(item.version.N);
  const stateVersion = item.stateVersion === undefined ? FIRST_STATE_VERSION : Number(item.stateVersion.N);
  const commitId = item.commitId?.S ?? '';
  const createdAt = new Date(item.createdAt?.S ?? Number.NaN);
  const problem =
    schemaProblem(item, schemasOfRecords) ||
    stateProblem(item) ||
    (!Number.isSafeInteger(version) && 'its version is not a number') ||
    (!(Number.isSafeInteger(stateVersion) && stateVersion > 0) &&
      'its stateVersion is not a whole number from 1') ||
    (commitId === '' && 'it has no commitId') ||
    (Number.isNaN(createdAt.getTime()) && 'createdAt is not a date');
  if (problem) throw new SagaboxError('UnreadableItem', { item: describe(saga), detail: problem });
  const timeouts = (item.timeouts?.L ?? []).map(fromTimeoutAttribute);
  const stored = storedState(storedAttributes(item, saga), saga, mapper);
  return { ...stored, stateVersion, revision: { version, commitId }, createdAt, timeouts };
}

/** Both forms are read, whatever the saga says of compression now. */
function stateProblem({ state, encoding }: Item): string | undefined {
  if (encoding === undefined) return state?.M === undefined ? 'it has no state' : undefined;
  if (!isEncoding(encoding.S ?? ''))
    return `the encoding of its state is '${encoding.S}', which is not known`;
  return state?.B === undefined ? 'it has no compressed state' : undefined;
}

export function storedAttributes({ state }: Item, saga: SagaIdentity): Item {
  if (state?.B === undefined) return state?.M ?? {};
  try {
    return decompressState(state.B);
  } catch (error) {
    const detail = `its compressed state is damaged: ${thrownMessage(error)}`;
    throw new SagaboxError('UnreadableItem', { item: describe(saga), detail }, { cause: error });
  }
}

/**
 * A state as it is stored: `readState` throws `UnreadableItem` for attributes that the mapper does not take.
 */
export function storedState(
  attributes: Item,
  saga: SagaIdentity,
  mapper: StateMapper,
): Pick<StoredSaga, 'readState' | 'isSame'> {
  const readState = () => stateOf(attributes, saga, mapper);
  // What a class keeps in private fields, no other comparison sees.
  const sameAttributes = (state: unknown) =>
    isSameState(mapper.toAttributes(state), mapper.toAttributes(readState()));
  return {
    readState,
    isSame: (state) => (mapper.isSame ? mapper.isSame(state, readState()) : sameAttributes(state)),
  };
}

function stateOf(attributes: Item, saga: SagaIdentity, mapper: StateMapper): unknown {
  try {
    // A copy: a mapper may take over parts of it, which the handler changes then.
    return mapper.fromAttributes(structuredClone(attributes));
  } catch (error) {
    if (isSagaboxError(error)) throw error;
    const facts = { item: describe(saga), detail: `its state cannot be mapped: ${thrownMessage(error)}` };
    throw new SagaboxError('UnreadableItem', facts, { cause: error });
  }
}

function describe({ name, id }: SagaIdentity): string {
  return `The '${name}' saga with id '${id}'`;
}

export function fromTimeoutAttribute({ M: timeout = {} }: AttributeValue): PendingTimeout {
  return {
    id: timeout.id?.S ?? '',
    type: timeout.type?.S ?? '',
    scheduled: timeout.scheduled?.BOOL === true,
  };
}

import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { attributesProblem } from '../../dynamodb/attribute-problem.ts';
import { isEncoding } from '../../dynamodb/compression.ts';
import {
  EMBEDDED_SCHEMA,
  FIRST_STATE_VERSION,
  type Item,
  SCHEMA_VERSION,
  schemaProblem,
  VERSIONED_STATE_SCHEMA,
} from '../../dynamodb/item-attributes.ts';
import type { SagaIdentity } from '../../dynamodb/keys.ts';
import type { Table } from '../../dynamodb/table-defaults.ts';
import { isSagaboxError, SagaboxError } from '../../kernel/errors/errors.ts';
import { thrownMessage } from '../../kernel/errors/thrown.ts';
import { isNestedDeeper } from '../../sending/nesting.ts';
import type { PendingTimeout } from '../../sending/pending-timeouts.ts';
import { KeptState, type SagaWrite, type StoredSaga } from '../saga-state.ts';
import type { LoadedSaga } from '../saga-store.ts';
import { isSameState } from '../same-state.ts';
import { commitIdOf } from './commit-ids.ts';
import { decompressState } from './compressed-state.ts';
import { defaultMapper, type StateMapper } from './mapper.dynamodb.ts';
import type { SagaItem } from './saga-item.ts';
import { MAX_ATTRIBUTE_LEVELS } from './state-attributes.ts';

/** @throws SagaboxError `UnsupportedState` for a state that cannot be stored */
export function stateAttributes(
  mapper: StateMapper,
  { saga, state }: { readonly saga: SagaIdentity; readonly state: unknown },
): Item {
  if (KeptState.is(state)) return state.value as Item;
  try {
    const attributes = mapper.toAttributes(state);
    // The attributes of the default mapper are right by construction.
    const problem = mapper === defaultMapper ? undefined : attributesProblem(attributes, 'state');
    if (problem !== undefined) throw new Error(`toAttributes of the mapper: ${problem}`);
    if (isNestedDeeper(attributes, MAX_ATTRIBUTE_LEVELS)) throw new Error('it is nested over 31 levels deep');
    return attributes;
  } catch (error) {
    const facts = { sagaName: saga.name, sagaId: saga.id, detail: thrownMessage(error) };
    throw new SagaboxError('UnsupportedState', facts, { cause: error });
  }
}

/** Returns a write with the attributes that the mapper makes of its state now. */
export function keptWrite(mapper: StateMapper, write: SagaWrite): SagaWrite {
  if (write.kind === 'complete') return write;
  return { ...write, state: new KeptState(stateAttributes(mapper, write)) };
}

/** The table and the functions with which its items are read as sagas. */
export interface SagaReader {
  readonly table: Table;
  readonly mapper: StateMapper;
  /** Reads the embedded outbox of an item, for sagas that have one. @default - only the state is read */
  readonly readEmbedded?: ReadEmbedded | undefined;
}

/** @throws Error for damaged attributes */
export type ReadEmbedded = (item: Item, read: SagaItem) => SagaItem;

const knownSchemas = [SCHEMA_VERSION, EMBEDDED_SCHEMA, VERSIONED_STATE_SCHEMA];

/**
 * Returns a saga from its item, wherever its outbox is. An item without a version is a lock on a saga that
 * does not exist yet.
 *
 * @throws SagaboxError `UnreadableItem`
 */
export function loadedSaga(
  item: Item | undefined,
  saga: SagaIdentity,
  { table, mapper, readEmbedded = (_item, read) => read }: SagaReader,
): LoadedSaga {
  if (item?.version === undefined) return { stored: undefined, item: undefined };
  const problem = problemOf(item);
  if (problem) throw new SagaboxError('UnreadableItem', { item: describe(saga), detail: problem });
  const read = readable(saga, () => readEmbedded(item, readItem(item, table)));
  if (item.state === undefined) return { stored: undefined, item: read };
  const { stateVersion, createdAt, timeouts } = item;
  const stored = {
    ...storedState(storedAttributes(item, saga), saga, mapper),
    stateVersion: Number(stateVersion?.N ?? FIRST_STATE_VERSION),
    revision: read.revision,
    createdAt: timeOf(createdAt),
    timeouts: (timeouts?.L ?? []).map(fromTimeoutAttribute),
  };
  return { stored, item: read };
}

function problemOf(item: Item): string | undefined {
  const { version, stateVersion, commitId, createdAt, state } = item;
  const states = stateVersion === undefined ? FIRST_STATE_VERSION : Number(stateVersion.N);
  return (
    schemaProblem(item, knownSchemas) ||
    stateProblem(item) ||
    (!Number.isSafeInteger(Number(version?.N)) && 'its version is not a number') ||
    (!(Number.isSafeInteger(states) && states > 0) && 'its stateVersion is not a whole number from 1') ||
    (!(commitId?.S || commitId?.B) && 'it has no commitId') ||
    (state && Number.isNaN(timeOf(createdAt).getTime()) && 'createdAt is not a date') ||
    (isEmbedded(item) && embeddedProblem(item)) ||
    undefined
  );
}

/**
 * Returns the problem of a state. Both forms are read, whatever the saga's option `compress` is now. The item
 * of a tombstone has no state.
 */
function stateProblem(item: Item): string | undefined {
  const { state, encoding, inbox } = item;
  if (encoding !== undefined) {
    if (!isEncoding(encoding.S ?? ''))
      return `the encoding of its state is '${encoding.S}', which is not known`;
    return state?.B === undefined ? 'it has no compressed state' : undefined;
  }
  const isCompressed = isEmbedded(item) && state?.B !== undefined;
  const isTombstone = state === undefined && inbox !== undefined;
  return state?.M || isCompressed || isTombstone ? undefined : 'it has no state';
}

function embeddedProblem({ endpoint, inbox, pending, updatedAt }: Item): string | undefined {
  if (endpoint?.S === undefined) return 'it has no endpoint';
  if (inbox?.B === undefined) return 'it has no inbox';
  if (pending?.M === undefined) return 'it has no map of what is pending';
  return Number.isNaN(timeOf(updatedAt).getTime()) ? 'updatedAt is not a date' : undefined;
}

function readItem(item: Item, table: Table): SagaItem {
  const { version, commitId, state, updatedAt, changeover, pending } = item;
  const expiresAt = item[table.timeToLiveAttributeName];
  return {
    schema: isEmbedded(item) ? 'embedded' : 'records',
    revision: {
      version: Number(version?.N),
      commitId: commitIdOf(item) ?? '',
      ...(commitId?.B && { isBinary: true }),
    },
    isTombstone: state === undefined,
    pending: { size: Object.keys(pending?.M ?? {}).length },
    updatedAt: timeOf(updatedAt),
    ...(changeover && { changeover: timeOf(changeover) }),
    ...(expiresAt && { expiresAt: timeOf(expiresAt) }),
  };
}

function readable<T>(saga: SagaIdentity, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const facts = { item: describe(saga), detail: thrownMessage(error) };
    throw new SagaboxError('UnreadableItem', facts, { cause: error });
  }
}

export function isEmbedded({ schemaVersion }: Item): boolean {
  return schemaVersion?.N === String(EMBEDDED_SCHEMA);
}

/** Returns a stored time: items with an embedded outbox have epoch seconds, the others ISO 8601. */
function timeOf({ S, N }: AttributeValue = {} as AttributeValue): Date {
  return new Date(S ?? (N === undefined ? Number.NaN : Number(N) * 1000));
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
 * The functions of a stored state: `readState` throws `UnreadableItem` for attributes that the mapper does
 * not take.
 */
export function storedState(
  attributes: Item,
  saga: SagaIdentity,
  mapper: StateMapper,
): Pick<StoredSaga, 'readState' | 'isSame'> {
  const readState = () => stateOf(attributes, saga, mapper);
  // Only the attributes show what a class keeps in private fields.
  const sameAttributes = (state: unknown) =>
    isSameState(mapper.toAttributes(state), mapper.toAttributes(readState()));
  return {
    readState,
    isSame: (state) => (mapper.isSame ? mapper.isSame(state, readState()) : sameAttributes(state)),
  };
}

function stateOf(attributes: Item, saga: SagaIdentity, mapper: StateMapper): unknown {
  try {
    // The mapper gets a copy: the state may take over parts of it, which the handler then changes.
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

import { writeUnits } from '../../dynamodb/capacity-units.ts';
import { type Item, keyAttributes } from '../../dynamodb/item-attributes.ts';
import { itemSize } from '../../dynamodb/item-size.ts';
import { sagaKey } from '../../dynamodb/keys.ts';
import { tableDefaults } from '../../dynamodb/table-defaults.ts';
import { embeddedAttributes, pendingAttributes } from '../../outbox/embedded/embedded-items.ts';
import { embeddedLimits, haveRoom, maxItemBytes } from '../../outbox/embedded/embedded-write.ts';
import { INBOX_ENTRY_BYTES, Inbox, inboxBytes } from '../../outbox/embedded/inbox.ts';
import { sagaItem, withCompressedState } from '../../saga/item/write-saga-item.ts';
import { usual } from '../records/operations-bytes.ts';
import { endpointBytes, type PlannedRecord, packedBytes, plannedRecord } from '../records/planned-record.ts';
import type { WholeShape } from '../shape-defaults.ts';

/** What the item of a saga with an embedded outbox takes on the way of one message, without a lease. */
export interface EmbeddedItemBytes {
  /** As the message finds it: 0 if it creates the saga. */
  readonly found: number;
  /** With its id, and with what it leaves to be sent. */
  readonly committed: number;
  /** Once that is sent. */
  readonly marked: number;
  /** Of a message whose inbox is full, or whose operations do not fit: it has a record, too. */
  readonly record: PlannedRecord | undefined;
  /** Whether a message before has a record, as the inbox was full: each message looks for its own. */
  readonly isOverflowed: boolean;
}

/** DynamoDB keeps no zeros at the end of a number. */
const at = new Date(1_767_225_599_000);
const saga = { name: usual.sagaName, id: usual.id };
const keys = keyAttributes(tableDefaults, sagaKey(saga));
const noBytes = { B: new Uint8Array() };
const timeToLive = { [tableDefaults.timeToLiveAttributeName]: { N: '1767225599' } };

/** The same decisions as those of the runtime, on sizes. */
export function embeddedItemBytes(shape: WholeShape): EmbeddedItemBytes {
  const { sagaChange, liveIds, outgoing } = shape;
  const isNew = sagaChange === 'create';
  const known = isNew ? 0 : Math.min(Math.round(liveIds), embeddedLimits.inboxMessages);
  const isFull = known === embeddedLimits.inboxMessages;
  const found = isNew ? 0 : itemWith(shape, known, 0);
  const ids = isFull ? known : known + 1;
  const entry = outgoing === 0 || isFull ? 0 : entryBytes(shape, found, ids);
  const hasRecord = isFull || entry === undefined;
  const pending = entry ?? 0;
  const isEnded = sagaChange === 'complete';
  return {
    found,
    committed: isEnded ? tombstoneWith(shape, ids, pending) : itemWith(shape, ids, pending),
    marked: isEnded ? tombstoneWith(shape, ids, 0) : itemWith(shape, ids, 0),
    record: hasRecord ? plannedRecord(shape) : undefined,
    isOverflowed: isFull && liveIds > known,
  };
}

/** The bytes of the tombstone that a discard leaves: it holds only the id of that message. */
export function discardBytes(shape: WholeShape): number {
  return tombstoneWith(shape, 1, 0);
}

/** Of the operations of a message, as they are kept in the item; undefined if they do not fit. */
function entryBytes(shape: WholeShape, found: number, ids: number): number | undefined {
  const { stored } = packedBytes(shape);
  const packed = Math.min(stored, Math.round(stored * shape.compressionRatio));
  if (!haveRoom(packed, found + INBOX_ENTRY_BYTES)) return undefined;
  const entry = pendingBytes(packed);
  return writesState(shape) && itemWith(shape, ids, entry) > maxItemBytes(true) ? undefined : entry;
}

/** Whether a message gives the item a state. */
export function writesState({ sagaChange }: WholeShape): boolean {
  return sagaChange === 'create' || sagaChange === 'update';
}

const inboxOf = (ids: number) => new Inbox(new Uint8Array(inboxBytes(ids)));

/** Besides those of an empty map of what is pending. */
function pendingBytes(packedBytes: number): number {
  const packed = new Uint8Array(packedBytes);
  const write = { messageId: usual.id, storedAt: at, dispatched: false, operations: [], chunkCount: 0 };
  const pending = pendingAttributes(inboxOf(0), [{ ...write, packed, encoding: 's', chunks: [] }]);
  return itemSize({ pending: { M: pending } }) - itemSize({ pending: { M: {} } });
}

/** With its state compressed, unless it is one write unit without that. */
function itemWith(shape: WholeShape, ids: number, pending: number): number {
  const { sagaBytes, sagaCompressionRatio } = shape;
  const others = attributesBytes(shape, ids, { createdAt: true }) + pending;
  const plain = Math.max(0, sagaBytes - recordsForm.around);
  if (writeUnits(others + plain) === 1 || sagaCompressionRatio >= 1) return others + plain;
  const compressed = Math.round(sagaBytes * sagaCompressionRatio) - recordsForm.aroundCompressed;
  return others + Math.min(plain, Math.max(0, compressed));
}

/** It has no state, and expires once all is sent. */
function tombstoneWith(shape: WholeShape, ids: number, pending: number): number {
  const expiry = pending === 0 ? itemSize(timeToLive) : 0;
  return attributesBytes(shape, ids, { createdAt: false }) + expiry + pending;
}

/** All but a state that is empty, and what is pending. */
function attributesBytes(shape: WholeShape, ids: number, of: { readonly createdAt: boolean }): number {
  const state = { kind: 'create', saga, state: {}, timeouts: [], leaseOwner: undefined } as const;
  const write = {
    ...{ saga, endpoint: 'e'.repeat(endpointBytes(shape.metadataBytes)), read: undefined, at, pending: [] },
    state: of.createdAt ? state : ('none' as const),
    version: Math.max(1, ids),
    inbox: inboxOf(ids),
    isOverflowed: ids >= embeddedLimits.inboxMessages,
    ...{ schema: 'embedded' as const, createdAt: of.createdAt ? at : undefined, changeover: undefined },
    ...{ expiresAt: undefined, mustBePending: undefined },
  };
  const attributes: Item = embeddedAttributes(write, usual.id);
  const empty = of.createdAt ? { state: noBytes } : {};
  return itemSize({ ...keys, ...attributes, ...empty, pending: { M: {} } });
}

/** Around the state in the item of a saga that has outbox records: what the size of a saga is told by. */
const recordsForm = (() => {
  const times = { createdAt: at, updatedAt: at, timeouts: [] };
  const item = sagaItem(tableDefaults, { saga, state: {}, version: 1, commitId: usual.id, ...times });
  const compressed = withCompressedState(item, noBytes.B);
  return { around: itemSize({ ...item, state: noBytes }), aroundCompressed: itemSize(compressed) };
})();

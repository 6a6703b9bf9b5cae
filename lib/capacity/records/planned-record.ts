import { FINGERPRINT_BYTES } from '../../core/incoming/fingerprint.ts';
import { MAX_PACKED_ITEM_BYTES } from '../../core/outbox/packing.ts';
import type { RecordEncoding } from '../../core/outbox/record-encoding.ts';
import { writeUnits } from '../../core/storage/capacity-units.ts';
import { itemSize, numberSize } from '../../core/storage/item-size.ts';
import {
  chunkItem,
  dispatchedItem,
  type UndispatchedFields,
  undispatchedItem,
} from '../../core/storage/outbox-items.ts';
import { tableDefaults } from '../../core/storage/table-defaults.ts';
import type { WholeShape } from '../shape-defaults.ts';
import { bytesOfOperations, type OperationsBytes } from './operations-bytes.ts';

/** What the outbox keeps of one message. */
export interface PlannedRecord {
  readonly recordBytes: number;
  readonly chunkBytes: readonly number[];
  readonly dispatchedBytes: number;
}

/** A shape, and what follows from it. */
export interface RecordMessage {
  readonly shape: WholeShape;
  /** `undefined` without an outbox. */
  readonly record: PlannedRecord | undefined;
  /** A table is read in one way in each call: two ways are two calls. */
  readonly sharedTable: boolean;
}

const someTime = new Date('2026-01-01T00:00:00.000Z');
const record = {
  endpoint: '',
  messageId: '00000000-0000-0000-0000-000000000000',
  storedAt: someTime,
  operationCount: 0,
  chunkCount: 0,
  fingerprint: new Uint8Array(FINGERPRINT_BYTES),
};
const undispatchedBytes = (fields: Partial<UndispatchedFields> = {}) =>
  itemSize(undispatchedItem(tableDefaults, { ...record, ...fields }));

/** Of a dispatched record without anything outgoing, of an endpoint without a name. */
const plainRecordBytes = itemSize(dispatchedItem(tableDefaults, record, someTime, 1_767_225_599));
/** Only in a record that is dispatched. */
const dispatchedAttributesBytes = plainRecordBytes - undispatchedBytes();
const operationsBytes = undispatchedBytes({ packed: new Uint8Array() }) - undispatchedBytes();
/** Without the endpoint's name and the operations. */
const emptyChunkBytes = itemSize(chunkItem(tableDefaults, record, 1, new Uint8Array()));

/** The items that the runtime stores for a message of this shape: the same decisions, on sizes. */
export function plannedRecord(shape: WholeShape): PlannedRecord {
  const { outgoing, metadataBytes, compressionRatio } = shape;
  if (outgoing === 0) return { recordBytes: metadataBytes, chunkBytes: [], dispatchedBytes: metadataBytes };
  const { stored } = packedBytes(shape);
  const uncompressed = storedAs(shape, stored, 's');
  if (units(uncompressed) === 1) return uncompressed;
  const compressed = storedAs(shape, Math.round(stored * compressionRatio), 'sb');
  return units(compressed) < units(uncompressed) ? compressed : uncompressed;
}

export function packedBytes(shape: WholeShape): OperationsBytes {
  return bytesOfOperations(shape, endpointBytes(shape.metadataBytes));
}

function storedAs(shape: WholeShape, stored: number, encoding: RecordEncoding): PlannedRecord {
  const { outgoing, metadataBytes } = shape;
  const chunkCount = stored > MAX_PACKED_ITEM_BYTES ? Math.ceil(stored / MAX_PACKED_ITEM_BYTES) : 0;
  const dispatchedBytes = metadataBytes + numberSize(String(outgoing)) - numberSize('0');
  const chunkCountBytes = numberSize(String(chunkCount)) - numberSize('0');
  return {
    recordBytes:
      dispatchedBytes -
      dispatchedAttributesBytes +
      chunkCountBytes +
      (undispatchedBytes({ encoding }) - undispatchedBytes()) +
      (chunkCount === 0 ? operationsBytes + stored : 0),
    chunkBytes: Array.from({ length: chunkCount }, (_, index) => {
      const rest = stored - index * MAX_PACKED_ITEM_BYTES;
      return emptyChunkBytes + endpointBytes(metadataBytes) + Math.min(rest, MAX_PACKED_ITEM_BYTES);
    }),
    dispatchedBytes,
  };
}

/** The rest of what a record takes is its endpoint's name. */
export function endpointBytes(metadataBytes: number): number {
  return Math.max(1, metadataBytes - plainRecordBytes);
}

function units({ recordBytes, chunkBytes }: PlannedRecord): number {
  return chunkBytes.reduce((total, bytes) => total + writeUnits(bytes), writeUnits(recordBytes));
}

import { writeUnits } from '../../dynamodb/capacity-units.ts';
import { cheaperForm } from '../../dynamodb/compression.ts';
import { itemSize, numberSize } from '../../dynamodb/item-size.ts';
import { tableDefaults } from '../../dynamodb/table-defaults.ts';
import { FINGERPRINT_BYTES } from '../../messages/fingerprint.ts';
import { recordOf } from '../../outbox/record.ts';
import { dispatchedItem } from '../../outbox/record-attributes.ts';
import type { RecordEncoding } from '../../outbox/record-encoding.ts';
import { recordItemSizes } from '../../outbox/record-size.ts';
import type { WholeShape } from '../shape-defaults.ts';
import { sum } from '../steps.ts';
import { bytesOfOperations, type OperationsBytes, usual } from './operations-bytes.ts';

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

const record = {
  messageId: usual.id,
  storedAt: usual.sentAt,
  fingerprint: new Uint8Array(FINGERPRINT_BYTES),
};

/** The size of a record of a message without outgoing messages, of an endpoint without a name. */
export const emptyRecordBytes = itemSize(
  dispatchedItem(tableDefaults, { ...record, endpoint: '', operationCount: 0 }, usual.sentAt, 1_767_225_599),
);

/** The sizes of the items that the runtime stores for a message of this shape. */
export function plannedRecord(shape: WholeShape): PlannedRecord {
  const { outgoing, metadataBytes, compressionRatio } = shape;
  if (outgoing === 0) return { recordBytes: metadataBytes, chunkBytes: [], dispatchedBytes: metadataBytes };
  const { stored } = packedBytes(shape);
  const [recordBytes = 0, ...chunkBytes] = cheaperForm(
    itemSizes(shape, stored, 's'),
    () => itemSizes(shape, Math.round(stored * compressionRatio), 'sb'),
    (sizes) => sum(sizes, writeUnits),
  );
  const countBytes = numberSize(String(outgoing)) - numberSize('0');
  return { recordBytes, chunkBytes, dispatchedBytes: metadataBytes + countBytes };
}

export function packedBytes(shape: WholeShape): OperationsBytes {
  return bytesOfOperations(shape, endpointBytes(shape.metadataBytes));
}

/** The sizes of a record with so many bytes of operations, and of its chunks. */
function itemSizes({ outgoing, metadataBytes }: WholeShape, bytes: number, encoding: RecordEncoding) {
  const endpoint = 'e'.repeat(endpointBytes(metadataBytes));
  const content = { ...record, endpoint, operations: Array<never>(outgoing) };
  return recordItemSizes(endpoint, recordOf(content, new Uint8Array(bytes), encoding));
}

/** The length of an endpoint name with which a record without operations has `metadataBytes`; at least 1. */
export function endpointBytes(metadataBytes: number): number {
  return Math.max(1, metadataBytes - emptyRecordBytes);
}

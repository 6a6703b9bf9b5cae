import type { WholeShape } from '../shape-defaults.ts';
import { type PackedRecord, packedRecord } from './packed-record.ts';

/** A shape, and what follows from it. */
export interface PackedMessage {
  readonly shape: WholeShape;
  /** Nothing without an outbox. */
  readonly record: PackedRecord | undefined;
  /** A table is read in one way in each call: two ways are two calls. */
  readonly sharedTable: boolean;
}

export function packedMessage(shape: WholeShape, sharedTable: boolean): PackedMessage {
  return { shape, record: shape.outbox ? packedRecord(shape) : undefined, sharedTable };
}

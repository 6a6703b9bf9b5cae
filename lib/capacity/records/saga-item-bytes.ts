import { writeUnits } from '../../core/storage/capacity-units.ts';
import { leaseAttribute } from '../../core/storage/item-attributes.ts';
import { itemSize } from '../../core/storage/item-size.ts';
import type { WholeShape } from '../shape-defaults.ts';

/**
 * Of the attribute that a saga has while it is locked: an owner of 36 characters, and a time in milliseconds.
 */
export const leaseBytes = itemSize({
  lease: leaseAttribute({ owner: '0'.repeat(36), until: new Date(1_767_225_599_999) }),
});

/** Of the item that the runtime stores for a saga of this shape: the same decision, on sizes. */
export function storedSagaBytes({ sagaBytes, sagaCompressionRatio, locking }: WholeShape): number {
  if (sagaBytes === 0) return sagaBytes;
  const compressed = Math.max(1, Math.round(sagaBytes * sagaCompressionRatio));
  const units = (bytes: number) => writeUnits(bytes + (locking === 'pessimistic' ? leaseBytes : 0));
  return units(compressed) < units(sagaBytes) ? compressed : sagaBytes;
}

export function writesSaga({ sagaBytes, sagaChange }: WholeShape): boolean {
  return sagaBytes > 0 && sagaChange !== 'none';
}

export function sagaIsThere({ sagaChange }: WholeShape): boolean {
  return sagaChange !== 'create';
}

/** A saga that is created is locked by an item of a key and a lease. */
export function lockedBytes(shape: WholeShape): number {
  return sagaIsThere(shape) ? shape.sagaBytes + leaseBytes : 0;
}

/** The larger one of before, where a lease may be on it, and after. */
export function sagaWriteBytes(shape: WholeShape): number {
  return shape.locking === 'pessimistic' ? Math.max(shape.sagaBytes, lockedBytes(shape)) : shape.sagaBytes;
}

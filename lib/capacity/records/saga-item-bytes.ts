import { writeUnits } from '../../core/storage/capacity-units.ts';
import { cheaperForm } from '../../core/storage/compression.ts';
import { leaseAttribute } from '../../core/storage/item-attributes.ts';
import { itemSize } from '../../core/storage/item-size.ts';
import type { WholeShape } from '../shape-defaults.ts';

/**
 * Of the attribute that a saga has while it is locked: an owner of 36 characters, and a time in milliseconds.
 */
export const leaseBytes = itemSize({
  lease: leaseAttribute({ owner: '0'.repeat(36), until: new Date(1_767_225_599_999) }),
});

/** The size of the item that the runtime stores for a saga of this shape. */
export function storedSagaBytes({ sagaBytes, sagaCompressionRatio, locking }: WholeShape): number {
  if (sagaBytes === 0) return sagaBytes;
  const compressed = () => Math.max(1, Math.round(sagaBytes * sagaCompressionRatio));
  return cheaperForm(sagaBytes, compressed, (bytes) =>
    writeUnits(bytes + (locking === 'pessimistic' ? leaseBytes : 0)),
  );
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

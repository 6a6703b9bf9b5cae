import { writeUnits } from '../../dynamodb/capacity-units.ts';
import { cheaperForm } from '../../dynamodb/compression.ts';
import { leaseBytes, leasedBytes } from '../saga-step.ts';
import type { WholeShape } from '../shape-defaults.ts';

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

/** Bytes of the item that a message finds: 0 if it creates the saga. */
export function foundBytes({ sagaBytes, sagaChange }: WholeShape): number {
  return sagaChange === 'create' ? 0 : sagaBytes;
}

/** The larger one of before, where a lease may be on it, and after. */
export function sagaWriteBytes(shape: WholeShape): number {
  return shape.locking === 'pessimistic'
    ? Math.max(shape.sagaBytes, leasedBytes(foundBytes(shape)))
    : shape.sagaBytes;
}

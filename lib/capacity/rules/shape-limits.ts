import { isSagaboxError, SagaboxError } from '../../kernel/errors/errors.ts';
import { limits } from '../../kernel/limits.ts';
import { assertTransactionBytes, assertWriteCount } from '../../outbox/commit.ts';
import { maxItemBytes } from '../../outbox/embedded/embedded-write.ts';
import { assertPackable } from '../../outbox/packing.ts';
import { MAX_COLLECTED_BYTES } from '../../saga/draft-contributions.ts';
import { embeddedItemBytes, writesState } from '../embedded/embedded-item-bytes.ts';
import { packedBytes, plannedRecord } from '../records/planned-record.ts';
import { storedSagaBytes, writesSaga } from '../records/saga-item-bytes.ts';
import type { WholeShape } from '../shape-defaults.ts';
import { sum } from '../steps.ts';

/** The error that a run of this shape throws; `undefined` for a shape within all limits. */
export function limitError(shape: WholeShape): SagaboxError | undefined {
  try {
    assertWithinLimits(shape);
    return undefined;
  } catch (error) {
    if (isSagaboxError(error)) return error;
    throw error;
  }
}

/** The checks that a run makes, on the sizes of a shape. */
function assertWithinLimits(shape: WholeShape): void {
  const { outbox, outgoing, appended, collected, contributionBytes } = shape;
  if (outbox && outgoing > 0) assertPackable(packedBytes(shape).counted);
  const items = outboxItems(shape);
  assertWriteCount({
    saga: writesSaga(shape) || undefined,
    outbox: items.length === 0 ? undefined : { chunkCount: items.length - 1 },
    transactionItems: [],
    appended: Array(appended),
    collected: Array(collected),
  });
  assertItemFits(writtenSaga(shape));
  const contributions = (appended + collected) * contributionBytes;
  if (contributions > 0)
    assertItemFits({ item: 'A contribution', bytes: contributionBytes, maximum: limits.itemBytes });
  for (const bytes of items)
    assertItemFits({ item: 'An item of the outbox', bytes, maximum: limits.itemBytes });
  assertCollected(collected * contributionBytes);
  // A saga that is completed counts with its key only, which is small. What is deleted of contributions counts as a
  // whole, as what is put.
  const putsSaga = writesSaga(shape) && shape.sagaChange !== 'complete';
  const ofSaga = putsSaga ? writtenSaga(shape).bytes : 0;
  assertTransactionBytes(sum(items, (bytes) => bytes) + ofSaga + contributions);
}

function assertItemFits(item: { readonly item: string; readonly bytes: number; readonly maximum: number }) {
  if (item.bytes > item.maximum) throw new SagaboxError('ItemTooLarge', item);
}

/** `collect` gives no more of them. */
function assertCollected(bytes: number): void {
  if (bytes <= MAX_COLLECTED_BYTES) return;
  throw new SagaboxError('TransactionLimit', {
    limit: 'bytes of collected values',
    actual: bytes,
    maximum: MAX_COLLECTED_BYTES,
    remedy: 'collect fewer or smaller values with one message',
  });
}

/** The item of the saga as a commit leaves it, with the maximum of the runtime. */
export function writtenSaga(shape: WholeShape) {
  const item = 'A saga';
  if (shape.layout === 'records')
    return { item, bytes: storedSagaBytes(shape), maximum: limits.sagaItemBytes };
  return { item, bytes: embeddedItemBytes(shape).committed, maximum: maxItemBytes(writesState(shape)) };
}

/** Bytes of each, as they are stored with the commit. */
export function outboxItems(shape: WholeShape): readonly number[] {
  if (!shape.outbox) return [];
  const record = shape.layout === 'embedded' ? embeddedItemBytes(shape).record : plannedRecord(shape);
  return record === undefined ? [] : [record.recordBytes, ...record.chunkBytes];
}

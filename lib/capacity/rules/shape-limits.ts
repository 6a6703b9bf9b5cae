import { MAX_BYTES_WITH_STATE } from '../../core/embedded/embedded-write.ts';
import { SagaboxError } from '../../core/failures/errors.ts';
import { limits } from '../../core/limits.ts';
import { MAX_PACKED_BYTES } from '../../core/outbox/packing.ts';
import { MAX_FOLDED_BYTES } from '../../core/saga/draft-contributions.ts';
import { embeddedItemBytes, writesState } from '../embedded/embedded-item-bytes.ts';
import { packedBytes, plannedRecord } from '../records/planned-record.ts';
import { storedSagaBytes, writesSaga } from '../records/saga-item-bytes.ts';
import type { WholeShape } from '../shape-defaults.ts';
import { sum } from '../steps.ts';

/** The error that a run of this shape throws; `undefined` for a shape within all limits. */
export function limitError(shape: WholeShape): SagaboxError | undefined {
  return (
    packedBytesError(shape) ??
    writeCountError(shape) ??
    itemError(shape) ??
    foldedBytesError(shape) ??
    transactionBytesError(shape)
  );
}

function packedBytesError(shape: WholeShape): SagaboxError | undefined {
  const hasRecord = shape.outbox && shape.outgoing > 0;
  const limit = 'bytes of outgoing messages, before compression,';
  return hasRecord
    ? transactionError(limit, packedBytes(shape).counted, MAX_PACKED_BYTES, smaller)
    : undefined;
}

function writeCountError(shape: WholeShape): SagaboxError | undefined {
  const own = outboxItems(shape).length + (writesSaga(shape) ? 1 : 0) + shape.collected;
  const actual = own + shape.appended;
  const limit = `writes (${shape.appended} added by the handler, ${own} by sagabox)`;
  return transactionError(limit, actual, limits.transactionItems, 'send fewer messages from one handler');
}

function itemError(shape: WholeShape): SagaboxError | undefined {
  const ofOutbox = { item: 'An item of the outbox', maximum: limits.itemBytes };
  const contribution = {
    item: 'A contribution',
    bytes: contributionsBytes(shape) && shape.contributionBytes,
  };
  const items = [
    writtenSaga(shape),
    { ...contribution, maximum: limits.itemBytes },
    ...outboxItems(shape).map((bytes) => ({ ...ofOutbox, bytes })),
  ];
  const tooLarge = items.find(({ bytes, maximum }) => bytes > maximum);
  return tooLarge && new SagaboxError('ItemTooLarge', tooLarge);
}

/** The item of the saga as a commit leaves it, with the maximum of the runtime. */
export function writtenSaga(shape: WholeShape) {
  const bytes = writtenSagaBytes(shape);
  return { item: 'A saga', bytes, maximum: largestSaga(shape) };
}

function largestSaga(shape: WholeShape): number {
  if (shape.layout === 'records') return limits.sagaItemBytes;
  return writesState(shape) ? MAX_BYTES_WITH_STATE : limits.itemBytes;
}

/** A saga that is completed counts with its key only, which is small. */
function transactionBytesError(shape: WholeShape): SagaboxError | undefined {
  const putsSaga = writesSaga(shape) && shape.sagaChange !== 'complete';
  const ofSaga = (putsSaga ? writtenSagaBytes(shape) : 0) + contributionsBytes(shape);
  const actual = sum(outboxItems(shape), (bytes) => bytes) + ofSaga;
  return transactionError('bytes', actual, limits.transactionBytes, smaller);
}

/** What is deleted counts as a whole, as what is put. */
function contributionsBytes({ appended, collected, contributionBytes }: WholeShape): number {
  return (appended + collected) * contributionBytes;
}

/** `collect` gives no more of them. */
function foldedBytesError({ collected, contributionBytes }: WholeShape): SagaboxError | undefined {
  const remedy = 'collect fewer or smaller values with one message';
  return transactionError(
    'bytes of collected values',
    collected * contributionBytes,
    MAX_FOLDED_BYTES,
    remedy,
  );
}

function writtenSagaBytes(shape: WholeShape): number {
  return shape.layout === 'embedded' ? embeddedItemBytes(shape).committed : storedSagaBytes(shape);
}

const smaller = 'send fewer or smaller messages from one handler, or keep large data elsewhere';

function transactionError(limit: string, actual: number, maximum: number, remedy: string) {
  if (actual <= maximum) return undefined;
  return new SagaboxError('TransactionLimit', { limit, actual, maximum, remedy });
}

/** Bytes of each, as they are stored with the commit. */
export function outboxItems(shape: WholeShape): readonly number[] {
  if (!shape.outbox) return [];
  const record = shape.layout === 'embedded' ? embeddedItemBytes(shape).record : plannedRecord(shape);
  return record === undefined ? [] : [record.recordBytes, ...record.chunkBytes];
}

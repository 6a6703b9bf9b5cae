import { compress, decompress } from '../../dynamodb/compression.ts';
import { joinChunks, MAX_PACKED_BYTES } from '../../outbox/packing.ts';
import { isCompressed, isRecordEncoding } from '../../outbox/record-encoding.ts';
import { embeddedItems, pendingIn } from './embedded-items.ts';
import type { Item, MeteredCall } from './recorded-call.ts';

/** Compressed bytes for each byte. */
export function compressionRatioOf(packed: Uint8Array): number {
  return compress(packed).byteLength / packed.byteLength;
}

/** {@link compressionRatioOf} the messages that a commit stored; `undefined` if it stored none. */
export function storedRatio(calls: readonly MeteredCall[]): number | undefined {
  const pending = calls.flatMap(embeddedItems).flatMap(pendingIn);
  if (pending.length > 0) return Math.max(...pending.map(({ packed }) => compressionRatioOf(packed)));
  // A saga has an encoding of its own.
  const items = calls.flatMap(committedItems).filter(({ state }) => state === undefined);
  const stored = joinChunks(items.flatMap(({ operations }) => operations?.B ?? []));
  if (stored.byteLength === 0) return undefined;
  const encoding = items.map((item) => item.encoding?.S).find(isRecordEncoding);
  const packed = encoding && isCompressed(encoding) ? decompress(stored, MAX_PACKED_BYTES) : stored;
  return compressionRatioOf(packed);
}

/** Of the commit: the mark puts its record again, without the messages. */
export function committedItems({ operation, input }: MeteredCall): Item[] {
  if (operation === 'PutItem') return [input.Item];
  if (operation !== 'TransactWriteItems') return [];
  const writes: readonly { Put?: { Item: Item } }[] = input.TransactItems;
  return writes.flatMap(({ Put }) => (Put ? [Put.Item] : []));
}

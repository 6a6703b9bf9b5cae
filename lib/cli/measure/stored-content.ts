import type { Item, MeteredCall } from '../../capacity/measured/recorded-call.ts';
import { isEncoding } from '../../core/outbox/compression.ts';
import { joinChunks, pack, unpack } from '../../core/outbox/packing.ts';
import { itemSize } from '../../core/storage/item-size.ts';
import type { MeasuredShape } from './measured-shape.ts';
import { operationBytes } from './stored-sizes.ts';
import { compressionRatioOf } from './synthetic-messages.ts';

/** Compressed bytes per byte of the outgoing messages that a commit stored; `undefined` if it stored none. */
export function storedRatio(calls: readonly MeteredCall[]): number | undefined {
  const operations = storedOperations(calls);
  return operations.length === 0 ? undefined : compressionRatioOf(pack(operations));
}

/** What was stored in another size than asked, in words: the figures would be those of something else. */
export function otherThanWanted(shape: MeasuredShape, calls: readonly MeteredCall[]): string[] {
  const saga = putItems(calls).find(({ SK: sort }) => sort?.S === 'SAGA');
  const other = storedOperations(calls).find((operation) => operationBytes(operation) !== shape.messageBytes);
  return [
    ...(saga && itemSize(saga) !== shape.sagaBytes ? [`a saga of ${itemSize(saga)} bytes was stored`] : []),
    ...(other ? [`an outgoing message of ${operationBytes(other)} bytes was stored`] : []),
  ];
}

function storedOperations(calls: readonly MeteredCall[]) {
  const items = putItems(calls);
  const record = items.find(({ SK: sort, dispatched }) => sort?.S === 'RECORD' && dispatched?.BOOL === false);
  const encoding = record?.encoding?.S;
  const stored = items
    .filter((item) => item === record || item.SK?.S?.startsWith('CHUNK#'))
    .flatMap(({ operations }) => operations?.B ?? []);
  if (stored.length === 0) return [];
  return unpack(joinChunks(stored), encoding !== undefined && isEncoding(encoding) ? encoding : undefined);
}

/** Of the commit: the mark puts its record again, without the messages. */
function putItems(calls: readonly MeteredCall[]): Item[] {
  return calls.flatMap(({ operation, input }) => {
    if (operation === 'PutItem') return [input.Item as Item];
    if (operation !== 'TransactWriteItems') return [];
    const writes: readonly { Put?: { Item: Item } }[] = input.TransactItems;
    return writes.flatMap(({ Put }) => (Put ? [Put.Item] : []));
  });
}

import type { MeteredCall } from '../../lib/capacity/measured/recorded-call.ts';
import { itemSize, utf8Bytes } from '../../lib/core/storage/item-size.ts';
import type { Item, Layout } from './contender.ts';

/** What the figures are measured for: bytes as stored. */
export const wanted = { sagaBytes: 1_000, messageBytes: 500 } as const;

/** Of a body without any order in it, as JSON: what is stored around it is not counted. */
export const incompressibleBodyBytes = 500;

/** What a commit stored of the saga and of the outgoing messages. */
interface StoredSizes {
  readonly sagaBytes: readonly number[];
  readonly messageBytes: readonly number[];
}

/** Of all items that the transactions among these calls put. */
export function storedSizes(layout: Layout, calls: readonly MeteredCall[]): StoredSizes {
  const items = putItems(calls);
  const operations = items.flatMap((item) => layout.operationsIn(item));
  return {
    sagaBytes: items.filter((item) => layout.isSaga(item)).map(itemSize),
    messageBytes: operations.map(utf8Bytes),
  };
}

/**
 * Why the figures would be those of something else.
 *
 * @param wantedMessageBytes of each outgoing message
 */
export function otherThanWanted(
  { sagaBytes, messageBytes }: StoredSizes,
  sagas: number,
  messages: number,
  wantedMessageBytes: number,
): string[] {
  const problems: string[] = [];
  const otherSaga = sagaBytes.find((bytes) => bytes !== wanted.sagaBytes);
  const otherMessage = messageBytes.find((bytes) => bytes !== wantedMessageBytes);
  if (otherSaga !== undefined) problems.push(`a saga item of ${otherSaga} B`);
  if (otherMessage !== undefined) problems.push(`an outgoing message of ${otherMessage} B`);
  if (sagaBytes.length !== sagas) problems.push(`a commit of ${sagaBytes.length} sagas instead of ${sagas}`);
  if (messageBytes.length !== messages) {
    problems.push(`a commit of ${messageBytes.length} outgoing messages instead of ${messages}`);
  }
  return problems;
}

/** The saga item among what was put, without its state, in bytes. */
export function sagaBytesBesideState(layout: Layout, calls: readonly MeteredCall[]): number {
  const saga = putItems(calls).find((item) => layout.isSaga(item));
  if (saga?.state === undefined) throw new Error('No saga with a state was stored');
  return itemSize(saga) - itemSize({ state: saga.state });
}

/** The items that the transactions among these calls put. */
export function putItems(calls: readonly MeteredCall[]): Item[] {
  return calls.flatMap(({ operation, input }) => {
    if (operation !== 'TransactWriteItems') return [];
    const writes: readonly { Put?: { Item: Item } }[] = input.TransactItems;
    return writes.flatMap(({ Put }) => (Put ? [Put.Item] : []));
  });
}

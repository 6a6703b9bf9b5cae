import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from '../dynamodb/item-attributes.ts';
import type { StoredAttributes } from '../dynamodb/stored-attributes.ts';
import type { WatchState } from './watch-state.ts';

type WatchAttribute = keyof Pick<
  StoredAttributes,
  'watchedStream' | 'watchedMapping' | 'watchedAt' | 'scanDue' | 'scanReason'
>;

/** What the item holds beside its key; undefined for what it does not have. */
export function watchAttributes({ stream, mapping, watchedAt, scanDue }: WatchState): {
  readonly [name in WatchAttribute]: AttributeValue | undefined;
} {
  return {
    watchedStream: { S: stream },
    watchedMapping: { S: mapping },
    watchedAt: { S: watchedAt.toISOString() },
    scanDue: scanDue && { S: scanDue.since.toISOString() },
    scanReason: scanDue && { S: scanDue.reason },
  };
}

/** Undefined for a damaged one, which the next run writes anew. */
export function readWatchItem(item: Item): WatchState | undefined {
  const watchedAt = new Date(item.watchedAt?.S ?? Number.NaN);
  if (Number.isNaN(watchedAt.getTime())) return undefined;
  const since = new Date(item.scanDue?.S ?? Number.NaN);
  return {
    stream: item.watchedStream?.S ?? '',
    mapping: item.watchedMapping?.S ?? '',
    watchedAt,
    ...(!Number.isNaN(since.getTime()) && { scanDue: { since, reason: item.scanReason?.S ?? '' } }),
  };
}

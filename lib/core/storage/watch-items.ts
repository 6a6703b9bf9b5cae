import type { WatchState } from '../outbox/watch.ts';
import type { Item } from './item-attributes.ts';

/** What the item holds beside its key; undefined for what it does not have. */
export function watchAttributes({ stream, mapping, watchedAt, scanDue }: WatchState) {
  return {
    stream: { S: stream },
    mapping: { S: mapping },
    watchedAt: { S: watchedAt.toISOString() },
    scanDue: scanDue && { S: scanDue.since.toISOString() },
    reason: scanDue && { S: scanDue.reason },
  };
}

/** Undefined for a damaged one, which the next run writes anew. */
export function readWatchItem(item: Item): WatchState | undefined {
  const watchedAt = new Date(item.watchedAt?.S ?? Number.NaN);
  if (Number.isNaN(watchedAt.getTime())) return undefined;
  const since = new Date(item.scanDue?.S ?? Number.NaN);
  return {
    stream: item.stream?.S ?? '',
    mapping: item.mapping?.S ?? '',
    watchedAt,
    ...(!Number.isNaN(since.getTime()) && { scanDue: { since, reason: item.reason?.S ?? '' } }),
  };
}

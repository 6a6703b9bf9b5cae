/** The state of the watch on the stream of a table, for one endpoint. */
export interface WatchState {
  readonly stream: string;
  /** The id of the event source mapping. */
  readonly mapping: string;
  /** The time at which the stream was last seen to be read. */
  readonly watchedAt: Date;
  /**
   * The time up to which records may be missing from the list, and why; a scan of all that is older finds
   * them.
   */
  readonly scanDue?: ScanDue | undefined;
}

export interface ScanDue {
  readonly since: Date;
  readonly reason: string;
}

/** An event source mapping, as Lambda describes it. */
export interface SeenMapping {
  readonly id: string;
  readonly state: string;
  readonly stream: string | undefined;
  readonly startsAt: string | undefined;
  readonly lastResult: string | undefined;
}

/** The stream of a table and its event source mapping, as seen at a time. */
export interface SeenWatch {
  /** The stream of the table; `undefined` while it is off. */
  readonly stream: string | undefined;
  /** The mapping; `undefined` when none has the id that the relay was given. */
  readonly mapping: SeenMapping | undefined;
}

export interface WatchVerdict {
  readonly state: WatchState;
  /** The reason why changes are not read at present. */
  readonly problem: string | undefined;
}

const HOUR_MS = 3_600_000;
/** A stream keeps a change for 24 hours. Source: "Change data capture for DynamoDB Streams". */
const LONGEST_UNREAD_MS = 23 * HOUR_MS;
/** A failed batch comes again: only a failure that lasts is reported. */
const LONGEST_FAILING_MS = 2 * HOUR_MS;
const readingStates: readonly string[] = ['Enabled', 'Enabling', 'Creating', 'Updating'];

/**
 * Judges whether changes are read, and whether some may have been missed: the stream was made anew, the
 * mapping was made anew and does not begin with the oldest change, or no run saw the stream read for as long
 * as a change is kept.
 *
 * @param before the state that the last run left; undefined at the first one
 * @param mapping the id that the relay was given
 */
export function judgeWatch(
  before: WatchState | undefined,
  seen: SeenWatch,
  mapping: string,
  now: Date,
): WatchVerdict {
  const unread = unreadBy(seen, mapping);
  const failing = seen.mapping?.lastResult?.startsWith('PROBLEM') ? seen.mapping.lastResult : undefined;
  const isRead = unread === undefined && failing === undefined;
  const watchedAt = isRead ? now : (before?.watchedAt ?? now);
  const unreadMs = now.getTime() - (before?.watchedAt ?? now).getTime();
  const reason = missedBy(before, seen, unreadMs);
  const scanDue = reason === undefined ? before?.scanDue : { since: now, reason };
  const hasFailed = failing !== undefined && unreadMs > LONGEST_FAILING_MS;
  return {
    state: {
      stream: seen.stream ?? before?.stream ?? '',
      mapping: seen.mapping?.id ?? before?.mapping ?? '',
      watchedAt,
      ...(scanDue && { scanDue }),
    },
    problem: unread ?? (hasFailed ? `the watcher fails (${failing})` : undefined),
  };
}

/** Whether two states are the same, except for `watchedAt`, which need not be exact. */
export function isSameWatch(one: WatchState | undefined, other: WatchState): boolean {
  return (
    one !== undefined &&
    one.stream === other.stream &&
    one.mapping === other.mapping &&
    one.scanDue?.since.getTime() === other.scanDue?.since.getTime() &&
    other.watchedAt.getTime() - one.watchedAt.getTime() < HOUR_MS
  );
}

function unreadBy({ stream, mapping }: SeenWatch, id: string): string | undefined {
  if (stream === undefined) return 'the stream of the table is off';
  if (mapping === undefined) return `there is no event source mapping ${id}`;
  if (mapping.stream !== stream)
    return `the event source mapping ${id} reads ${mapping.stream}, and the table has ${stream}`;
  if (readingStates.includes(mapping.state)) return undefined;
  return `the event source mapping ${id} is ${mapping.state.toLowerCase()}`;
}

function missedBy(
  before: WatchState | undefined,
  { stream, mapping }: SeenWatch,
  unreadMs: number,
): string | undefined {
  if (before && stream !== undefined && before.stream !== '' && before.stream !== stream)
    return `the table has another stream than before, ${before.stream}: it was off, or the table was restored or is a replica`;
  const isNew = mapping !== undefined && before?.mapping !== mapping.id;
  if (isNew && mapping.startsAt !== 'TRIM_HORIZON')
    return `the event source mapping was made anew and began at ${mapping.startsAt ?? 'an unknown place'}`;
  if (unreadMs <= LONGEST_UNREAD_MS) return undefined;
  return `nobody saw the stream being read for ${Math.floor(unreadMs / HOUR_MS)} hours`;
}

import type { Construct, IConstruct } from 'constructs';

const watchers = new WeakMap<IConstruct, Construct>();

/**
 * What several endpoints share, such as a table, has its alarms once: those of the first who asks.
 *
 * @returns whether `watcher` is the first
 */
export function watchOnce(shared: IConstruct, watcher: Construct): boolean {
  const first = watchers.get(shared) ?? watcher;
  watchers.set(shared, first);
  return first === watcher;
}

/** Who has its alarms. */
export function watcherOf(shared: IConstruct): Construct | undefined {
  return watchers.get(shared);
}

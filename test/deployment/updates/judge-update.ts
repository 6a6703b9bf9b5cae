import type { Update } from './updates.ts';

/** Physical names of resources by stack and logical id. */
export type PhysicalNames = ReadonlyMap<string, string>;

/** What did not come true of some updates of an app, in words, by what the stacks held before and after. */
export function judgeUpdate(
  updates: readonly Update[],
  before: PhysicalNames,
  after: PhysicalNames,
): string[] {
  const what = updates.map(({ name }) => name).join(', ');
  const added = [...after.keys()].filter((id) => !before.has(id));
  const removed = [...before.keys()].filter((id) => !after.has(id));
  const replaced = [...after].filter(([id, name]) => before.has(id) && before.get(id) !== name);
  const adds = updates.flatMap(({ adds }) => (adds === undefined ? [] : [adds]));
  const removes = updates.flatMap(({ removes }) => (removes === undefined ? [] : [removes]));
  return [
    ...unlike(added, adds).map((id) => `${id} was added: ${what}`),
    ...unlike(removed, removes).map((id) => `${id} was removed: ${what}`),
    ...replaced.map(([id]) => `${id} was replaced: ${what}`),
    ...unmet(added, adds).map((pattern) => `Nothing like ${pattern} was added: ${what}`),
    ...unmet(removed, removes).map((pattern) => `Nothing like ${pattern} was removed: ${what}`),
  ];
}

const logicalId = (id: string) => id.split('/').at(-1) ?? id;

function unlike(ids: readonly string[], patterns: readonly RegExp[]): string[] {
  return ids.filter((id) => !patterns.some((pattern) => pattern.test(logicalId(id))));
}

function unmet(ids: readonly string[], patterns: readonly RegExp[]): RegExp[] {
  return patterns.filter((pattern) => !ids.some((id) => pattern.test(logicalId(id))));
}

import { median } from '../../test/support/median.ts';

/**
 * Runs contenders side by side, one run each in every round. What else the machine does falls on all of them,
 * and each comes as often before the others as behind them.
 *
 * @returns what the runs of each contender returned
 */
export async function inTurns<Name extends string, Result>(
  names: readonly Name[],
  rounds: number,
  run: (name: Name, round: number) => Promise<Result>,
): Promise<Readonly<Record<Name, readonly Result[]>>> {
  const results = mapNames(names, (): Result[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      results[name].push(await run(name, round));
    }
  }
  return results;
}

/** The median of each figure over the rounds. */
export function mediansOf<Name extends string>(
  rounds: readonly Readonly<Record<Name, number>>[],
): Record<Name, number> {
  const names = Object.keys(rounds[0] ?? {}) as Name[];
  return mapNames(names, (name) => median(rounds.map((figures) => figures[name])));
}

/** One value for each of the names. */
export function mapNames<Name extends string, Value>(
  names: readonly Name[],
  valueFor: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, valueFor(name)])) as Record<Name, Value>;
}

/** One value for each of the names, one after another. */
export async function mapNamesInSequence<Name extends string, Value>(
  names: readonly Name[],
  valueFor: (name: Name) => Promise<Value>,
): Promise<Record<Name, Value>> {
  const values = new Map<Name, Value>();
  for (const name of names) values.set(name, await valueFor(name));
  return Object.fromEntries(values) as Record<Name, Value>;
}

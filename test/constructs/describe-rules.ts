import { describe, expect, it } from '@jest/globals';

/** What is sound at another boundary, and what is wrong by the least that can be. */
export interface RuleCases<Facts> {
  readonly sound?: readonly Partial<Facts>[];
  readonly wrong: readonly Partial<Facts>[];
}

type Found = string | undefined | readonly string[];

/**
 * Each rule flips with its facts, and no other does.
 *
 * @param sound all facts at their boundaries
 * @param cases one for each rule
 */
export function describeRules<Facts>(
  title: string,
  rules: readonly ((facts: Facts) => Found)[],
  sound: Facts,
  cases: Readonly<Record<string, RuleCases<Facts>>>,
): void {
  const violated = (some: Partial<Facts>) =>
    rules.filter((rule) => [rule({ ...sound, ...some }) ?? []].flat().length > 0).map(({ name }) => name);

  describe(title, () => {
    it('are all in this table, and find nothing wrong with facts at their boundaries', () => {
      expect(Object.keys(cases).toSorted()).toEqual(rules.map(({ name }) => name).toSorted());
      expect(violated({})).toEqual([]);
    });

    it.each(Object.entries(cases))('%s flips with its facts, and no other does', (name, each) => {
      const { sound = [], wrong } = each;
      expect(sound.map(violated)).toEqual(sound.map(() => []));
      expect(wrong.map(violated)).toEqual(wrong.map(() => [name]));
    });
  });
}

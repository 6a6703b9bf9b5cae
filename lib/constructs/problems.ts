import { type Bounds, isKnown, rangeProblem } from './assert-range.ts';

/** What is wrong with settings, to be reported together. */
export class Problems {
  readonly #found: string[];

  /** @param found elsewhere, before */
  constructor(found: readonly string[] = []) {
    this.#found = [...found];
  }

  get found(): readonly string[] {
    return this.#found;
  }

  /** @param remedy without its full stop, as in "Use a whole number from 1 to 10" */
  add(setting: string, problem: string, remedy: string): void {
    const text = `${setting}: ${problem}. ${remedy}.`;
    // One setting may hold for several things, as an alarm's threshold for two tables.
    if (!this.#found.includes(text)) this.#found.push(text);
  }

  /** What was found elsewhere. */
  addAll(found: readonly string[]): void {
    this.#found.push(...found);
  }

  /**
   * @returns `value`, or `fallback` when it is out of range, which is reported. A value that is known only at
   *   deployment is in range.
   */
  inRange<T extends number | undefined>(setting: string, value: T, bounds: Bounds, fallback: T): T {
    if (value === undefined || !isKnown(value)) return value;
    const problem = rangeProblem(value, bounds);
    if (problem === undefined) return value;
    this.add(setting, problem.problem, problem.remedy);
    return fallback;
  }
}

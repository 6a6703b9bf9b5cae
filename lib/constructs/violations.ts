import type { IConstruct } from 'constructs';
import { type Bounds, rangeProblem } from '../kernel/checks/bounds.ts';
import { Problems, problemText } from '../kernel/checks/problems.ts';
import { describeProp } from './checks/describe-prop.ts';
import { isKnown } from './is-known.ts';

/** Problems of props, each of them once. */
export class PropProblems extends Problems {
  /** Each with its place, cause and remedy. */
  get texts(): readonly string[] {
    // One setting may hold for several things, as an alarm's threshold for two tables.
    return [...new Set(this.found.map((each) => `${problemText(each)}.`))];
  }

  override describe(value: unknown): string {
    return describeProp(value);
  }

  /**
   * @returns `value`, or `fallback` when it is out of range, which is reported. A value that is known only at
   *   deployment is in range.
   */
  inRange<T extends number | undefined>(setting: string, value: T, bounds: Bounds, fallback: T): T {
    if (value === undefined || !isKnown(value)) return value;
    const found = rangeProblem(value, bounds);
    if (found === undefined) return value;
    this.add(setting, found.problem, found.remedy);
    return fallback;
  }
}

/**
 * What is wrong with the settings of one construct. All of it is reported at synth, with the path of the
 * construct. Until then the construct goes on with values that CDK's own constructors take: one of them that
 * throws would hide all other problems.
 */
export class Violations extends PropProblems {
  /**
   * @param atSynth rules whose facts are complete at synth only, as the destinations of an endpoint
   * @param before the problems that were found before the construct was made
   */
  constructor(scope: IConstruct, atSynth: () => readonly string[] = () => [], before?: PropProblems) {
    super();
    this.found.push(...(before?.found ?? []));
    scope.node.addValidation({ validate: () => [...this.texts, ...atSynth()] });
  }
}

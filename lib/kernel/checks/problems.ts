import { configurationError, type SagaboxError } from '../errors/errors.ts';
import { describeValue } from '../errors/thrown.ts';

/** What is wrong with one value. */
export interface Problem {
  /** The path of the value, as in `recoverability.policy`; empty for the value that was checked as a whole. */
  readonly at: string;
  readonly problem: string;
  /** Without its full stop, as in "Use a whole number from 1 to 10". */
  readonly remedy: string;
}

/** A problem of a value whose place is known. */
export type Refusal = Omit<Problem, 'at'>;

/** What checks report to. */
export interface Report {
  add(at: string, problem: string, remedy: string): void;
  /** A user's value, for a sentence. */
  describe(value: unknown): string;
}

/** The problems of one value, which are reported together. */
export class Problems implements Report {
  readonly found: Problem[] = [];

  add(at: string, problem: string, remedy: string): void {
    this.found.push({ at, problem, remedy });
  }

  describe(value: unknown): string {
    return describeValue(value);
  }
}

interface ErrorPlace {
  /** The page that describes the values. @default none */
  readonly page?: string | undefined;
  /** What stands ahead of the path of a single problem. @default none */
  readonly prefix?: string | undefined;
  readonly cause?: unknown;
}

/**
 * One error with all problems.
 *
 * @param whole what the paths of the problems begin at, as in 'the options of createHandler'
 */
export function problemsError(
  whole: string,
  problems: readonly Problem[],
  { page, prefix = '', cause }: ErrorPlace = {},
): SagaboxError<'Configuration'> {
  const [first, ...others] = problems;
  const options = cause === undefined ? {} : { cause };
  if (first !== undefined && others.length === 0) {
    const setting = first.at === '' ? whole : `${prefix}${first.at}`;
    const remedy = page === undefined ? first.remedy : `${first.remedy}. See ${page}`;
    return configurationError(setting, first.problem, remedy, options);
  }
  const remedy = page === undefined ? 'Correct each of them' : `See ${page}`;
  return configurationError(whole, problems.map(problemText).join('. '), remedy, options);
}

/** A problem with its place and its remedy, without the last full stop. */
export function problemText({ at, problem, remedy }: Problem): string {
  return `${at === '' ? '' : `${at}: `}${problem}. ${remedy}`;
}

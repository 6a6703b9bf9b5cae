import { durationIn, numberIn } from '../../kernel/checks/bounds.ts';
import {
  aList,
  assertOptionKinds,
  type Check,
  objectOf,
  oneOf,
  oneOfThese,
  problemsOf,
  trueOrFalse,
} from '../../kernel/checks/checks.ts';
import type { Problem } from '../../kernel/checks/problems.ts';
import { regions } from '../prices.ts';
import { wholeShape } from '../shape-defaults.ts';
import type { Workload } from '../workload.ts';
import { problemsOfScale, scaleCheck } from './scale-rules.ts';
import { limitError } from './shape-limits.ts';
import { limitProblems, problemsOfShape, shapeCheck } from './shape-rules.ts';

/** One message in twelve days: a lower rate is as good as 0. */
const MIN_RATE = 1e-6;
const MAX_RATE = 1e7;
/** Source: "Lambda event source mapping parameters for Amazon SQS": a batch of a standard queue. */
const MAX_BATCH_SIZE = 10_000;

const rate = numberIn({ min: MIN_RATE, max: MAX_RATE, fractions: true });

function workloadCheck(knownRegions: readonly string[]): Check {
  const checks = {
    messagesPerSecond: rate,
    peakMessagesPerSecond: rate,
    deduplicationPeriod: durationIn({ minutes: 1 }, { days: 3650 }, 'from a minute to 3650 days'),
    targetUtilizationPercent: numberIn({ min: 20, max: 90, fractions: true }),
    batchSize: numberIn({ min: 1, max: MAX_BATCH_SIZE, fractions: true }),
    sharedTable: trueOrFalse,
    region: regionIn(knownRegions),
    message: shapeCheck,
    scale: scaleCheck,
  } satisfies Record<keyof Workload, Check>;
  return objectOf(checks, { needs: ['message', 'messagesPerSecond'] });
}

/** A long list is not written out. */
function regionIn(known: readonly string[]): Check {
  if (known.length < 8) return oneOf(...known);
  return oneOfThese(
    known,
    `one of the ${known.length} regions whose prices are known, such as 'us-east-1' or 'eu-west-1', or give the ` +
      "prices of your region ('prices', or the file of sagabox plan --prices)",
  );
}

/** A workload, or what keeps a value from being one. */
export type CheckedWorkload =
  | { readonly workload: Workload }
  | { readonly problems: readonly Problem[]; readonly cause?: unknown };

export interface CheckWorkloadOptions {
  /** @default those whose prices are known */
  readonly regions?: readonly string[];
}

/**
 * Whether a value, of a file say, is a workload: every problem at once, each with its path.
 *
 * @example
 * ```ts
 * import { checkWorkload } from 'sagabox/capacity';
 *
 * const checked = checkWorkload({ message: { sagaBytes: -1 }, messagesPerSecond: 200 });
 * if ('problems' in checked) {
 *   for (const { at, problem, remedy } of checked.problems) console.error(at, problem, remedy);
 * }
 * ```
 */
export function checkWorkload(value: unknown, options: CheckWorkloadOptions = {}): CheckedWorkload {
  assertOptionKinds('checkWorkload', options, { regions: aList }, { page: 'docs/reference/capacity.md' });
  const problems = [...problemsOf(workloadCheck(options.regions ?? regions), value)];
  const has = (name: string) => problems.some(({ at }) => at === '' || at.split('.')[0] === name);
  // Each property was checked just now.
  const workload = value as Workload;
  if (!has('message')) problems.push(...problemsOfShape(workload.message, 'message.'));
  const cause = has('message') ? undefined : limitError(wholeShape(workload.message));
  if (!has('message')) problems.push(...problemsOfTables(workload), ...limitProblems(cause, 'message'));
  if (!has('messagesPerSecond') && !has('peakMessagesPerSecond')) problems.push(...problemsOfPeak(workload));
  if (problems.length === 0) problems.push(...problemsOfScale(workload));
  return problems.length === 0 ? { workload } : { problems, ...(cause && { cause }) };
}

function problemsOfTables({ message: { sagaBytes = 0, outbox } }: Workload): Problem[] {
  if (sagaBytes > 0 || outbox !== false) return [];
  const problem = 'it takes no table: it has no saga, and its outbox is false';
  const remedy = 'Say how large its saga is by sagaBytes, or leave outbox out';
  return [{ at: 'message', problem, remedy }];
}

function problemsOfPeak({ messagesPerSecond: average, peakMessagesPerSecond: peak = average }: Workload) {
  if (peak >= average) return [];
  const problem = `${peak} is less than messagesPerSecond, ${average}`;
  return [{ at: 'peakMessagesPerSecond', problem, remedy: `Use at least ${average}, or leave it out` }];
}

import * as v from 'valibot';
import { aList, assertOptionKinds } from '../../core/checks/option-checks.ts';
import { regions } from '../prices.ts';
import { wholeShape } from '../shape-defaults.ts';
import type { Workload } from '../workload.ts';
import { durationField } from './duration-field.ts';
import { boolean, mustBe, number, object, oneOf, problemsOf } from './fields.ts';
import type { Problem } from './problems.ts';
import { problemsOfScale, scaleSchema } from './scale-rules.ts';
import { limitError } from './shape-limits.ts';
import { limitProblems, problemsOfShape, shapeSchema } from './shape-rules.ts';

/** One message in twelve days: a lower rate is as good as 0. */
const MIN_RATE = 1e-6;
const MAX_RATE = 1e7;
/** Source: "Lambda event source mapping parameters for Amazon SQS": a batch of a standard queue. */
const MAX_BATCH_SIZE = 10_000;

const rate = number(MIN_RATE, MAX_RATE, '0.000001');
const deduplicationPeriod = durationField({ minutes: 1 }, { days: 3650 }, 'from a minute to 3650 days');

function workloadSchema(knownRegions: readonly string[]) {
  const fields: Record<keyof Workload, v.GenericSchema> = {
    messagesPerSecond: rate,
    peakMessagesPerSecond: rate,
    deduplicationPeriod,
    targetUtilizationPercent: number(20, 90),
    batchSize: number(1, MAX_BATCH_SIZE),
    sharedTable: boolean,
    region: regionSchema(knownRegions),
    message: shapeSchema,
    scale: scaleSchema,
  };
  return object(fields, ['message', 'messagesPerSecond']);
}

/** A long list is not written out. */
function regionSchema(known: readonly string[]) {
  if (known.length < 8) return oneOf(known);
  const wanted = `one of the ${known.length} regions whose prices are known, such as 'us-east-1' or 'eu-west-1'`;
  const problem = mustBe(wanted);
  return v.picklist(
    known,
    (issue) =>
      `${problem(issue)}: give the prices of your region ('prices', or the file of sagabox plan --prices)`,
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
 *   for (const { path, problem } of checked.problems) console.error(path, problem);
 * }
 * ```
 */
export function checkWorkload(value: unknown, options: CheckWorkloadOptions = {}): CheckedWorkload {
  assertOptionKinds('checkWorkload', options, { regions: aList }, { page: 'docs/reference/capacity.md' });
  const problems = problemsOf(workloadSchema(options.regions ?? regions), value);
  const has = (name: string) => problems.some(({ path }) => path === '' || path.split('.')[0] === name);
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
  return [
    { path: 'message', problem: 'takes no table: it has no saga (sagaBytes), and its outbox is false' },
  ];
}

function problemsOfPeak({ messagesPerSecond: average, peakMessagesPerSecond: peak = average }: Workload) {
  if (peak >= average) return [];
  const problem = `must be at least messagesPerSecond, ${average}, not ${peak}`;
  return [{ path: 'peakMessagesPerSecond', problem }];
}

import type { MessageShape } from '../message-shape.ts';
import { regions } from '../prices.ts';
import type { Workload } from '../workload.ts';
import { isObject, type ObjectRule, problemsOf } from './field-rules.ts';
import type { Problem } from './problems.ts';
import { problemsOfShape } from './shape-rules.ts';

/** One message in twelve days: less is not told apart from nothing. */
const MIN_RATE = 1e-6;
const MAX_RATE = 1e7;
const MINUTES_PER_DAY = 24 * 60;
const MAX_DEDUPLICATION_DAYS = 3650;
/** Source: "Lambda event source mapping parameters for Amazon SQS": a batch of a standard queue. */
const MAX_BATCH_SIZE = 10_000;

const rate = {
  kind: 'number',
  minimum: MIN_RATE,
  minText: '0.000001',
  maximum: MAX_RATE,
} as const;
const days = {
  kind: 'number',
  minimum: 1 / MINUTES_PER_DAY,
  minText: `1/${MINUTES_PER_DAY}, a minute,`,
  maximum: MAX_DEDUPLICATION_DAYS,
} as const;

function workloadRule(knownRegions: readonly string[]) {
  return {
    required: ['message', 'messagesPerSecond'],
    nested: ['message'],
    fields: {
      messagesPerSecond: rate,
      peakMessagesPerSecond: rate,
      deduplicationDays: days,
      targetUtilizationPercent: { kind: 'number', minimum: 20, maximum: 90 },
      batchSize: { kind: 'number', minimum: 1, maximum: MAX_BATCH_SIZE },
      sharedTable: { kind: 'boolean' },
      region: { kind: 'choice', choices: knownRegions },
    },
  } as const satisfies ObjectRule & { fields: Record<Exclude<keyof Workload, 'message'>, unknown> };
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
  const problems = problemsOf(value, workloadRule(options.regions ?? regions));
  if (!isObject(value)) return { problems };
  const { message, messagesPerSecond: average, peakMessagesPerSecond: peak } = value;
  const ofShape = message === undefined ? { problems: [] } : problemsOfShape(message, 'message');
  problems.push(...ofShape.problems);
  if (ofShape.problems.length === 0 && isObject(message)) problems.push(...problemsOfTables(message));
  const rates = ['messagesPerSecond', 'peakMessagesPerSecond'];
  const ratesAreRight = !problems.some(({ path }) => rates.includes(path));
  if (ratesAreRight && typeof peak === 'number' && typeof average === 'number' && peak < average) {
    problems.push({
      path: 'peakMessagesPerSecond',
      problem: `must be at least messagesPerSecond, ${average}, not ${peak}`,
    });
  }
  // Each property was checked just now.
  if (problems.length === 0) return { workload: value as unknown as Workload };
  return { problems, ...('cause' in ofShape ? { cause: ofShape.cause } : {}) };
}

function problemsOfTables({ sagaBytes = 0, outbox }: MessageShape): Problem[] {
  if (sagaBytes > 0 || outbox !== false) return [];
  return [
    { path: 'message', problem: 'takes no table: it has no saga (sagaBytes), and its outbox is false' },
  ];
}

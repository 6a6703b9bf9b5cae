import { problemsError } from '../../kernel/checks/problems.ts';
import { checkWorkload } from '../rules/check-workload.ts';
import { sum } from '../steps.ts';
import type { Workload } from '../workload.ts';
import { workloadDefaults } from '../workload-defaults.ts';
import { functionLimits } from './function-limits.ts';
import { itemLimits } from './item-limits.ts';
import { partitionLimits } from './partition-limits.ts';
import { publishingLimits } from './publishing-limits.ts';
import { queueLimits } from './queue-limits.ts';
import { scaleLoad } from './scale-load.ts';
import { figureOf, type LimitFigure, type LimitRule, limitsRead, type ScaleLimit } from './service-limit.ts';
import { tableLimits } from './table-limits.ts';

/** In the order in which a message meets them. */
export const limitRules: readonly LimitRule[] = [
  ...queueLimits,
  ...functionLimits,
  ...partitionLimits,
  ...tableLimits,
  ...itemLimits,
  ...publishingLimits,
];

/**
 * What a workload takes of the limits of the services at its busiest time, the nearest limit first: what it hits
 * first, and estimates last. A limit that it does not meet is left out, such as that of schedules without
 * schedules; limits of tables are there for both billing modes (`billing`), of which a table has one.
 *
 * Limits are the defaults of an account, of the region of the workload. Every message by itself: messages of one
 * saga that share a batch take less.
 *
 * @throws SagaboxError `Configuration` that lists every problem
 * @example
 * ```ts
 * import { limitsOf } from 'sagabox/capacity';
 *
 * const [first, ...others] = limitsOf({
 *   message: { sagaBytes: 1_000, outgoing: 1 },
 *   messagesPerSecond: 100_000,
 *   batchSize: 10,
 *   scale: { busiestSagaMessagesPerSecond: 2_000 },
 * });
 * console.log(first?.of, first?.figure, first?.limit, first?.remedy, others.length);
 * ```
 */
export function limitsOf(workload: Workload): ScaleLimit[] {
  const region = workload?.region;
  // No limit depends on prices: any region has limits.
  const checked = checkWorkload(workload, typeof region === 'string' ? { regions: [region] } : {});
  if ('problems' in checked) throw problemsError('The workload', checked.problems, { cause: checked.cause });
  return nearestFirst(limitsOfLoads(limitRules, [scaleLoad(workload)], region));
}

/** The limits that the rules find, in the order of the rules. The loads share what a whole account shares. */
export function limitsOfLoads<Load>(
  rules: readonly LimitRule<Load>[],
  loads: readonly Load[],
  region: string | undefined,
): ScaleLimit[] {
  return rules.flatMap((rule) => {
    const figures = loads.flatMap(rule.figuresOf);
    return (rule.isShared ? addedUp(figures) : figures).map((figure) => scaleLimit(rule, figure, region));
  });
}

function addedUp(figures: readonly LimitFigure[]): LimitFigure[] {
  const [first] = figures;
  if (first === undefined) return [];
  const rates = figures.flatMap(({ messagesPerSecond }) => messagesPerSecond ?? []);
  const allGrow = rates.length === figures.length;
  return figureOf(
    first.of,
    sum(figures, ({ figure }) => figure),
    allGrow ? sum(rates, (rate) => rate) : undefined,
  );
}

/** Estimates come last, so that they hide no limit of a service. */
export function nearestFirst(limits: readonly ScaleLimit[]): ScaleLimit[] {
  return limits.toSorted(
    (a, b) => Number(a.isEstimate) - Number(b.isEstimate) || b.usedPercent - a.usedPercent,
  );
}

function scaleLimit(
  rule: Omit<LimitRule, 'figuresOf'>,
  { of, figure, messagesPerSecond, limit: own }: LimitFigure,
  region: string = workloadDefaults.region,
): ScaleLimit {
  const { name, unit, adjustable, title, remedy, billing, isEstimate = false, isShared = false } = rule;
  const { limit, verified } = limitIn(own ?? rule.limit, region);
  return {
    ...{ name, of, unit, figure, limit },
    usedPercent: (100 * figure) / limit,
    isPassed: isShared ? figure >= limit : figure > limit,
    ...(billing !== undefined && { billing }),
    isEstimate,
    adjustable,
    ...(messagesPerSecond !== undefined && {
      reachedAtMessagesPerSecond: messagesPerSecond * (limit / figure),
    }),
    source: { title, read: limitsRead, verified: verified && !isEstimate },
    remedy,
  };
}

function limitIn(limit: LimitRule['limit'], region: string): { limit: number; verified: boolean } {
  if (typeof limit === 'number') return { limit, verified: true };
  const { regions, others, othersVerified = true } = limit;
  const known = Object.hasOwn(regions, region) ? regions[region] : undefined;
  return { limit: known ?? others, verified: known !== undefined || othersVerified };
}

import { type Stack, Token } from 'aws-cdk-lib';
import { checkWorkload, type RegionPrices, regions, type Workload } from '../../capacity/index.ts';
import { problemsOfPrices } from '../../capacity/rules/price-rules.ts';
import { type Problem, problemsError } from '../../kernel/checks/problems.ts';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import type { TableRole } from './table-plan.ts';

const DEFAULT_REGION = 'us-east-1';

/** What a table knows about its workloads. */
export interface WorkloadFacts {
  readonly role: TableRole;
  readonly stack: Stack;
  readonly prices: RegionPrices | undefined;
}

/**
 * The workloads, with what the table and its stack know filled in where a workload leaves it open.
 *
 * @throws SagaboxError `Configuration` that tells every problem of all of them
 */
export function completedWorkloads(
  workloads: readonly Workload[],
  { role, stack, prices }: WorkloadFacts,
): readonly Workload[] {
  assertWorkloads(workloads, prices);
  const region = pricedRegionOf(stack, prices);
  const completed = workloads.map((workload) => ({
    ...(region === undefined ? {} : { region }),
    ...workload,
    ...(role === 'shared' ? { sharedTable: true } : {}),
  }));
  assertOneRegion(completed);
  return completed;
}

/** Before anything is filled in: that would make a message of one that is missing. */
function assertWorkloads(workloads: readonly unknown[], prices: RegionPrices | undefined): void {
  const problems: Problem[] = prices === undefined ? [] : [...problemsOfPrices(prices)];
  const known = prices === undefined || problems.length > 0 ? regions : [...regions, prices.region];
  let cause: unknown;
  for (const [index, workload] of Array.from(workloads).entries()) {
    const checked = checkWorkload(workload, { regions: known });
    if ('workload' in checked) continue;
    cause ??= checked.cause;
    problems.push(
      ...checked.problems.map((found) => ({
        ...found,
        at: [`workload[${index}]`, found.at].filter(Boolean).join('.'),
      })),
    );
  }
  if (problems.length > 0) throw problemsError('capacity', problems, { prefix: 'capacity.', cause });
}

/** The plan of a table has one sum of money. */
function assertOneRegion(workloads: readonly Workload[]): void {
  const [first = DEFAULT_REGION, ...others] = workloads.map(({ region = DEFAULT_REGION }) => region);
  const other = others.find((region) => region !== first);
  if (other === undefined) return;
  throw new SagaboxError('Configuration', {
    setting: 'capacity.workload',
    problem: `the workloads of one table are priced in '${first}' and in '${other}'`,
    remedy: 'Give all of them the region of the table',
  });
}

function pricedRegionOf({ region }: Stack, prices: RegionPrices | undefined): string | undefined {
  if (prices !== undefined) return Token.isUnresolved(region) ? prices.region : region;
  return !Token.isUnresolved(region) && regions.includes(region) ? region : undefined;
}

import { Annotations } from 'aws-cdk-lib';
import type { Table, WarmThroughput } from 'aws-cdk-lib/aws-dynamodb';
import type { ScaleLimit, Workload } from '../../capacity/index.ts';
import type { LimitedTable } from '../../capacity/scale/limited-table.ts';
import { nearestFirst } from '../../capacity/scale/limits-of.ts';
import { capacityOfAccount, limitsOfAccount } from '../../capacity/scale/limits-of-account.ts';
import { limitsOfEndpoints, limitsOfTable } from '../../capacity/scale/limits-of-table.ts';
import type { DeclaredCapacity } from './declared-capacity.ts';
import { declaredUnits, knownUnits } from './declared-units.ts';
import type { TableWorkloadPlan } from './table-plan.ts';

/** What limits of a table are told by. */
interface LimitFacts {
  readonly plan: TableWorkloadPlan;
  readonly workloads: readonly Workload[];
  readonly capacity: DeclaredCapacity;
  readonly warmThroughput: WarmThroughput | undefined;
}

/** What the workloads of a table take of the limits of the services, the nearest first. */
export function tableLimits(facts: LimitFacts): ScaleLimit[] {
  const table = limitedTable(facts);
  return nearestFirst([...limitsOfTable(table), ...limitsOfAccount([table]), ...limitsOfEndpoints(table)]);
}

/** Of each limit of the table and of its capacity that is passed; what the endpoints meet elsewhere is in `limits`. */
export function warnOfLimits(table: Table, facts: LimitFacts): void {
  const limited = limitedTable(facts);
  const limits = nearestFirst([...limitsOfTable(limited), ...capacityOfAccount([limited])]);
  for (const limit of limits.filter(({ isPassed }) => isPassed))
    Annotations.of(table).addWarningV2(`sagabox:${limit.name}`, warning(limit));
}

function limitedTable(facts: LimitFacts): LimitedTable {
  const { plan, workloads, capacity, warmThroughput = {} } = facts;
  const { readUnitsPerSecond: read, writeUnitsPerSecond: write } = warmThroughput;
  const declared = declaredUnits(capacity);
  const warm = knownUnits({ read, write });
  return { role: plan.table, plan, workloads, mode: capacity.mode, declared, warm };
}

function warning(passed: ScaleLimit): string {
  const { of, unit, figure, limit, adjustable, source, remedy, reachedAtMessagesPerSecond: at } = passed;
  // What grows with no message is declared.
  const takes =
    at === undefined ? 'capacity: it goes up to' : 'capacity.workload: at its busiest time it takes';
  const kind = adjustable ? 'the default is' : 'there are';
  const whole = (value: number) => Math.ceil(value).toLocaleString('en-US');
  return (
    `${takes} ${whole(figure)} ${unit} (${of}), and ${kind} ${whole(limit)} ("${source.title}", read ` +
    `${source.read}). ${remedy}, or acknowledge this.`
  );
}

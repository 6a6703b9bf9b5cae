import { Annotations, Token } from 'aws-cdk-lib';
import type { Table, WarmThroughput } from 'aws-cdk-lib/aws-dynamodb';
import type { ScaleLimit, Workload } from '../../capacity/index.ts';
import { type LimitedTable, limitsOfTable, limitsWithTable } from '../../capacity/scale/limits-of-table.ts';
import { defined } from '../../core/defined.ts';
import type { DeclaredCapacity } from './declared-capacity.ts';
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
  return limitsWithTable(limitedTable(facts));
}

/** Of each limit of the table that is passed; what the endpoints meet elsewhere is in `limits`. */
export function warnOfLimits(table: Table, facts: LimitFacts): void {
  for (const limit of limitsOfTable(limitedTable(facts)).filter(({ isPassed }) => isPassed))
    Annotations.of(table).addWarningV2(`sagabox:${limit.name}`, warning(limit));
}

function limitedTable({ plan, workloads, capacity, warmThroughput = {} }: LimitFacts): LimitedTable {
  const known = (units: number | undefined) =>
    units === undefined || Token.isUnresolved(units) ? undefined : units;
  const { readUnitsPerSecond, writeUnitsPerSecond } = warmThroughput;
  const warm = defined({ read: known(readUnitsPerSecond), write: known(writeUnitsPerSecond) });
  return { role: plan.table, plan, workloads, mode: capacity.mode, warm };
}

function warning({ of, unit, figure, limit, adjustable, source, remedy }: ScaleLimit): string {
  const kind = adjustable ? 'the default is' : 'there are';
  const whole = (value: number) => Math.ceil(value).toLocaleString('en-US');
  return (
    `capacity.workload: at its busiest time it takes ${whole(figure)} ${unit} (${of}), and ${kind} ${whole(limit)} ` +
    `("${source.title}", read ${source.read}). ${remedy}, or acknowledge this.`
  );
}

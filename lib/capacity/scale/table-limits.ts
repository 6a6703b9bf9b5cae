import type { CapacityUnitsPlan } from '../message-shape.ts';
import { sum } from '../steps.ts';
import type { CapacityPlan, WorkloadPlan } from '../workload.ts';
import type { ScaleLoad } from './scale-load.ts';
import { figureOf, type LimitRule } from './service-limit.ts';

type Unit = keyof CapacityUnitsPlan;
/** Several workloads can share a table. */
type TableLoad = Pick<ScaleLoad, 'tables' | 'messagesPerSecond'>;
type TableRule = LimitRule<TableLoad>;

const quotas = 'Quotas in Amazon DynamoDB';
const warm = 'Understanding DynamoDB warm throughput';
const names = { rcu: 'RCU/s', wcu: 'WCU/s' } as const;

/** Tables and their indexes: each has throughput of its own. */
function capacitiesOf(tables: WorkloadPlan['tables']): (readonly [of: string, capacity: CapacityPlan])[] {
  return Object.entries(tables).flatMap(([name, table]) => [
    [`${name} table`, table] as const,
    ...(table.index === undefined ? [] : [[`${name} index`, table.index] as const]),
  ]);
}

function peakOf(unit: Unit): TableRule['figuresOf'] {
  return ({ tables, messagesPerSecond }) =>
    capacitiesOf(tables).flatMap(([of, { peak }]) => figureOf(of, peak[unit], messagesPerSecond));
}

function provisionedOf(unit: Unit): TableRule['figuresOf'] {
  return ({ tables, messagesPerSecond }) => {
    const side = unit === 'rcu' ? 'read' : 'write';
    const units = sum(capacitiesOf(tables), ([, { provisioned }]) => provisioned[side].maxCapacity);
    return figureOf('account', units, messagesPerSecond);
  };
}

/** Throughput that is there, or that the account is allowed. */
export const tableLimits: readonly TableRule[] = [
  ...(['wcu', 'rcu'] as const).flatMap((unit): TableRule[] => [
    {
      name: unit === 'wcu' ? 'newTableWrites' : 'newTableReads',
      unit: `${names[unit]}, new, on demand`,
      limit: unit === 'wcu' ? 4_000 : 12_000,
      adjustable: true,
      title: warm,
      remedy:
        'Give the table warmThroughput before the launch, or let the load grow: a table on demand takes twice its ' +
        'earlier peak, and grows while it is used',
      figuresOf: peakOf(unit),
    },
    {
      name: unit === 'wcu' ? 'tableWrites' : 'tableReads',
      unit: names[unit],
      limit: 40_000,
      adjustable: true,
      title: quotas,
      remedy:
        'Ask for a higher quota of the table in the Service Quotas console, in each region. Several endpoints can ' +
        'have a table each',
      figuresOf: peakOf(unit),
    },
    {
      name: unit === 'wcu' ? 'accountWrites' : 'accountReads',
      unit: `${names[unit]}, provisioned`,
      limit: 80_000,
      adjustable: true,
      title: quotas,
      remedy:
        'Ask for a higher quota of the account in the Service Quotas console, or take tables on demand, which the ' +
        'quota does not count',
      figuresOf: provisionedOf(unit),
    },
  ]),
];

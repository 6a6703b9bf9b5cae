import type { CapacityUnitsPlan } from '../message-shape.ts';
import { sum } from '../steps.ts';
import type { TablePlan, WorkloadPlan } from '../workload.ts';
import type { ScaleLoad } from './scale-load.ts';
import { figureOf, type LimitRule } from './service-limit.ts';

type Unit = keyof CapacityUnitsPlan;

/** Units a second; a side without a known maximum is left out. */
export interface DeclaredUnits {
  readonly read?: number;
  readonly write?: number;
}

/** Several workloads can share a table. */
export interface TableLoad extends Pick<ScaleLoad, 'tables' | 'messagesPerSecond'> {
  /** The most that tables may take, by name such as `saga table`, once they are declared. */
  readonly declared?: Readonly<Record<string, DeclaredUnits>>;
}

type TableRule = LimitRule<TableLoad>;

const quotas = 'Quotas in Amazon DynamoDB';
const warm = 'Understanding DynamoDB warm throughput';
const names = { rcu: 'RCU/s', wcu: 'WCU/s' } as const;
const sides = { rcu: 'read', wcu: 'write' } as const;

function capacitiesOf(tables: WorkloadPlan['tables']): (readonly [of: string, capacity: TablePlan])[] {
  return Object.entries(tables).map(([name, table]) => [`${name} table`, table] as const);
}

function peakOf(unit: Unit): TableRule['figuresOf'] {
  return ({ tables, messagesPerSecond }) =>
    capacitiesOf(tables).flatMap(([of, { peak }]) => figureOf(of, peak[unit], messagesPerSecond));
}

/** The most that each table may take: as it is declared, which no message changes, else as planned. */
function mostOf(unit: Unit, planned: (capacity: TablePlan) => number): TableRule['figuresOf'] {
  return ({ tables, declared = {}, messagesPerSecond }) => {
    const plans = new Map(capacitiesOf(tables));
    const names = new Set([...plans.keys(), ...Object.keys(declared)]);
    return [...names].flatMap((of) => {
      const maximum = declared[of]?.[sides[unit]];
      if (maximum !== undefined) return figureOf(of, maximum, undefined);
      const plan = plans.get(of);
      return plan === undefined ? [] : figureOf(of, planned(plan), messagesPerSecond);
    });
  };
}

/** Planned, it is more than the peak: the target utilisation leaves room. */
function provisionedOf(unit: Unit): TableRule['figuresOf'] {
  return mostOf(unit, ({ provisioned }) => provisioned[sides[unit]].maxCapacity);
}

function accountOf(unit: Unit): TableRule['figuresOf'] {
  return (load) => {
    const units = sum(provisionedOf(unit)(load), ({ figure }) => figure);
    return figureOf('account', units, load.declared === undefined ? load.messagesPerSecond : undefined);
  };
}

const quotaOfTable = {
  limit: 40_000,
  adjustable: true,
  title: quotas,
  remedy:
    'Ask for a higher quota of the table in the Service Quotas console, in each region. Several endpoints can ' +
    'have a table each',
} as const;

/** Throughput that is there, or that the account is allowed: of each billing mode by itself. */
export const tableLimits: readonly TableRule[] = [
  ...(['wcu', 'rcu'] as const).flatMap((unit): TableRule[] => [
    {
      name: unit === 'wcu' ? 'newTableWrites' : 'newTableReads',
      unit: `${names[unit]}, new on demand`,
      limit: unit === 'wcu' ? 4_000 : 12_000,
      adjustable: true,
      billing: 'onDemand',
      title: warm,
      remedy:
        'Give the table warmThroughput before the launch, or let the load grow: a table on demand takes twice its ' +
        'earlier peak, and grows while it is used',
      figuresOf: peakOf(unit),
    },
    {
      ...quotaOfTable,
      name: unit === 'wcu' ? 'tableWrites' : 'tableReads',
      unit: `${names[unit]}, on demand`,
      billing: 'onDemand',
      figuresOf: mostOf(unit, ({ peak }) => peak[unit]),
    },
    {
      ...quotaOfTable,
      name: unit === 'wcu' ? 'provisionedWrites' : 'provisionedReads',
      unit: `${names[unit]}, provisioned`,
      billing: 'provisioned',
      figuresOf: provisionedOf(unit),
    },
    {
      name: unit === 'wcu' ? 'accountWrites' : 'accountReads',
      unit: `${names[unit]}, provisioned`,
      limit: 80_000,
      adjustable: true,
      billing: 'provisioned',
      isShared: true,
      title: quotas,
      remedy:
        'Ask for a higher quota of the account in the Service Quotas console, or take tables on demand, which the ' +
        'quota does not count',
      figuresOf: accountOf(unit),
    },
  ]),
];

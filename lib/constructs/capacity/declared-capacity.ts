import { type AutoscaledCapacity, type UnitRange, wholeUnits, withTarget } from './autoscaled-capacity.ts';
import { type TablePeak, tablePeak } from './scheduled-peak.ts';
import type { CapacitySettings } from './table-capacity.ts';
import type { TableWorkloadPlan } from './table-plan.ts';

type SettingsOf<Mode> = Extract<CapacitySettings, { readonly mode: Mode }>;

/** What a table is declared with, every unit known. */
export type DeclaredCapacity = SettingsOf<'onDemand'> | ProvisionedTable;

interface ProvisionedTable {
  readonly mode: 'provisioned';
  readonly read: Required<AutoscaledCapacity>;
  readonly write: Required<AutoscaledCapacity>;
  readonly peaks: readonly TablePeak[];
}

/** @param plan of a table that is to be provisioned for a workload */
export function declaredCapacity(
  settings: CapacitySettings,
  plan: TableWorkloadPlan | undefined,
): DeclaredCapacity {
  if (settings.mode === 'onDemand') return settings;
  if (settings.mode === 'provisioned') return provisionedTable(settings);
  // Reported at synth: there is no workload, or one that cannot be planned.
  if (plan === undefined) return { mode: 'onDemand', workloads: [] };
  return plannedTable(settings, plan);
}

/** The most that the table takes, outside of scheduled peaks. */
export function maxCapacity(capacity: DeclaredCapacity): Record<'read' | 'write', number | undefined> {
  if (capacity.mode === 'onDemand')
    return { read: capacity.maxReadRequestUnits, write: capacity.maxWriteRequestUnits };
  return { read: capacity.read.maxCapacity, write: capacity.write.maxCapacity };
}

function provisionedTable(settings: SettingsOf<'provisioned'>): ProvisionedTable {
  const usual = { read: withTarget(settings.read), write: withTarget(settings.write) };
  const peaks = settings.scheduledPeaks.map((peak, index) => tablePeak(peak, index, usual));
  return { mode: 'provisioned', ...usual, peaks };
}

function plannedTable(
  { headroom, scheduledPeaks }: SettingsOf<'forWorkload'>,
  plan: TableWorkloadPlan,
): ProvisionedTable {
  const { read, write, targetUtilizationPercent } = plan.provisioned;
  const withHeadroom = ({ minCapacity, maxCapacity }: UnitRange) => ({
    minCapacity,
    maxCapacity: wholeUnits(maxCapacity * headroom),
    targetUtilizationPercent,
  });
  const usual = { read: withHeadroom(read), write: withHeadroom(write) };
  const planned = {
    read: { minCapacity: read.maxCapacity },
    write: { minCapacity: write.maxCapacity },
  };
  const peaks = scheduledPeaks.map((peak, index) => tablePeak({ ...planned, ...peak }, index, usual));
  return { mode: 'provisioned', ...usual, peaks };
}

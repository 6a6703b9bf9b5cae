import type { Workload } from '../workload.ts';
import { type LimitedTable, tableLoad } from './limited-table.ts';
import { limitRules, limitsOfLoads, nearestFirst } from './limits-of.ts';
import { scaleLoad } from './scale-load.ts';
import type { ScaleLimit } from './service-limit.ts';
import { tableLimits } from './table-limits.ts';

const ofTables = tableLimits.filter(({ isShared }) => isShared);
const namesOfTables = ofTables.map(({ name }) => name);
const ofEndpoints = limitRules.filter(({ name, isShared }) => isShared && !namesOfTables.includes(name));

/**
 * What tables of one account and region take together of the limits that all of it shares, with the endpoints
 * that use them, the nearest first.
 *
 * @param region @default - that of the first workload
 */
export function limitsOfAccount(
  tables: readonly LimitedTable[],
  region: string | undefined = regionOf(tables),
): ScaleLimit[] {
  const loads = endpointsOf(tables).map(scaleLoad);
  return nearestFirst([...capacityOfAccount(tables, region), ...limitsOfLoads(ofEndpoints, loads, region)]);
}

/** The quotas of provisioned capacity alone, which do not count tables on demand. */
export function capacityOfAccount(
  tables: readonly LimitedTable[],
  region: string | undefined = regionOf(tables),
): ScaleLimit[] {
  const provisioned = tables.filter(({ mode }) => mode === 'provisioned');
  return limitsOfLoads(ofTables, provisioned.map(tableLoad), region);
}

/**
 * The workload of each endpoint. An endpoint with a saga table and an outbox table gives its workload to both: equal
 * workloads are those of as many endpoints as tables of one kind have them.
 */
function endpointsOf(tables: readonly LimitedTable[]): Workload[] {
  const named = tables.flatMap(({ role, workloads }) => workloads.map((workload) => ({ role, workload })));
  return [...Map.groupBy(named, ({ workload }) => keyOf(workload)).values()].flatMap((equal) => {
    const kinds = [...Map.groupBy(equal, ({ role }) => role).values()];
    const [most = []] = kinds.toSorted((a, b) => b.length - a.length);
    return most.map(({ workload }) => workload);
  });
}

/** Equal for equal workloads. */
function keyOf(workload: Workload) {
  return JSON.stringify(workload, (_name, value: unknown) =>
    typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
}

function regionOf([first]: readonly LimitedTable[]): string | undefined {
  return first?.workloads[0]?.region;
}

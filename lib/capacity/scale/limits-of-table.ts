import { itemLimits } from './item-limits.ts';
import { type LimitedTable, tableLoad } from './limited-table.ts';
import { limitRules, limitsOfLoads, nearestFirst } from './limits-of.ts';
import { partitionLimits } from './partition-limits.ts';
import { scaleLoad } from './scale-load.ts';
import type { ScaleLimit } from './service-limit.ts';
import { tableLimits } from './table-limits.ts';

const ofItems = [...partitionLimits, ...itemLimits];
const ofTable = tableLimits.filter(({ isShared }) => !isShared);
const namesOfTable = [...ofItems, ...tableLimits].map(({ name }) => name);
const elsewhere = limitRules.filter(({ name, isShared }) => !isShared && !namesOfTable.includes(name));

/** The limits of one table, which it shares with no other, the nearest first. */
export function limitsOfTable(table: LimitedTable): ScaleLimit[] {
  const { role, workloads } = table;
  const region = workloads[0]?.region;
  const whole = limitsOfLoads(ofTable, [tableLoad(table)], region);
  const ofEach = workloads.flatMap((workload) =>
    limitsOfLoads(ofItems, [scaleLoad(workload)], region).filter(({ name }) => isOf(role, name)),
  );
  return nearestFirst([...whole.filter((limit) => isMet(limit, table)), ...ofEach]);
}

/** What each workload of a table meets in a queue, a function and a relay of its own. */
export function limitsOfEndpoints({ workloads }: LimitedTable): ScaleLimit[] {
  return nearestFirst(limitsOfLoads(elsewhere, workloads.map(scaleLoad), workloads[0]?.region));
}

function isOf(role: LimitedTable['role'], name: string): boolean {
  return role === 'shared' || (name === 'outboxItem') === (role === 'outbox');
}

function isMet({ name, figure, billing }: ScaleLimit, { mode, warm = {} }: LimitedTable): boolean {
  if (billing !== mode) return false;
  if (!name.startsWith('newTable')) return true;
  const atOnce = name === 'newTableReads' ? warm.read : warm.write;
  return atOnce === undefined || atOnce < figure;
}

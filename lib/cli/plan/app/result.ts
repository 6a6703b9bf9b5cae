import type { PlannedTable } from './table.ts';
import { tableText, totalText } from './text.ts';
import { totalOf } from './total.ts';

/** One table after another, and their total, for people. */
export function textOfTables(tables: readonly PlannedTable[]): string[] {
  return [...tables.flatMap((table) => [...tableText(table), '']), ...totalText(tables)];
}

/** `{ tables: [ … ], total }` */
export function jsonOfTables(tables: readonly PlannedTable[]): string {
  return JSON.stringify({
    tables: tables.map(({ name, plan, deployed, workloads, steps }) => {
      const { table, ...figures } = plan;
      return { name, table, ...figures, deployed, workloads, steps };
    }),
    total: totalOf(tables),
  });
}

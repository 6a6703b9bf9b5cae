import { type CommandResult, RefusedInput } from '../../command.ts';
import { type PlannedTable, plannedTable } from './table.ts';
import { readAppTables } from './tables.ts';
import { tableText, totalText } from './text.ts';
import { totalOf } from './total.ts';

/** @throws RefusedInput with every problem of a synthesized app */
export async function planOfApp(directory: string): Promise<CommandResult> {
  const found = await readAppTables(directory).catch((error: Error) => {
    throw new RefusedInput([error.message]);
  });
  const read = found.map((table) => plannedTable(table, directory));
  const problems = read.flatMap((one) => ('problems' in one ? one.problems : []));
  if (problems.length > 0) throw new RefusedInput(problems);
  const tables = read.flatMap((one) => ('table' in one ? [one.table] : []));
  return {
    json: () => ({ tables: tables.map(objectOf), total: totalOf(tables) }),
    lines: () => [...tables.flatMap((table) => [...tableText(table), '']), ...totalText(tables)],
    failed: false,
  };
}

function objectOf({ name, plan, deployed, workloads, steps }: PlannedTable): object {
  const { table, ...figures } = plan;
  return { name, table, ...figures, deployed, workloads, steps };
}

import { type CommandResult, RefusedInput, refusedConfiguration } from '../../command.ts';
import { readAppTables } from './tables.ts';
import { tableText, totalText } from './text.ts';
import { totalOf } from './total.ts';

/** @throws RefusedInput with every problem of a synthesized app */
export async function planOfApp(directory: string): Promise<CommandResult> {
  const read = await readAppTables(directory).catch(refusedConfiguration);
  const problems = read.flatMap((one) => ('problems' in one ? one.problems : []));
  if (problems.length > 0) throw new RefusedInput(problems);
  const tables = read.flatMap((one) => ('problems' in one ? [] : [one]));
  const plans = tables.map(({ plan }) => plan);
  return {
    json: () => ({
      tables: tables.map(({ name, plan: { table, ...figures }, ...rest }) => ({
        name,
        table,
        ...figures,
        ...rest,
      })),
      total: totalOf(plans),
    }),
    lines: () => [...tables.flatMap((table) => [...tableText(table), '']), ...totalText(plans)],
    failed: false,
  };
}

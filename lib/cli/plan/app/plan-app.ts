import { type CommandResult, RefusedInput, refusedConfiguration } from '../../command.ts';
import { environmentsOf } from './environments.ts';
import { readAppTables } from './tables.ts';
import { environmentText, tableText, totalText } from './text.ts';
import { totalOf } from './total.ts';

/** @throws RefusedInput with every problem of a synthesized app */
export async function planOfApp(directory: string): Promise<CommandResult> {
  const read = await readAppTables(directory).catch(refusedConfiguration);
  const problems = read.flatMap((one) => ('problems' in one ? one.problems : []));
  if (problems.length > 0) throw new RefusedInput(problems);
  const tables = read.flatMap((one) => ('problems' in one ? [] : [one]));
  const plans = tables.map(({ plan }) => plan);
  const environments = environmentsOf(tables);
  return {
    json: () => ({
      tables: tables.map(({ name, plan: { table, ...figures }, ...rest }) => ({
        name,
        table,
        ...figures,
        ...rest,
      })),
      total: totalOf(plans),
      environments,
    }),
    lines: () => [
      ...tables.flatMap((table) => [...tableText(table), '']),
      ...totalText(plans),
      ...environments.flatMap((environment) => ['', ...environmentText(environment)]),
    ],
    failed: false,
  };
}

import type { RegionPrices } from '../../capacity/index.ts';
import { allProblems, type OptionValues, readArguments, textOf } from '../command-arguments.ts';
import { type PlannedTable, plannedTable } from './app/table.ts';
import { readAppTables } from './app/tables.ts';
import type { PlannedWorkload } from './result.ts';
import { readWorkload, workloadOptions, workloadUsage } from './workload-options.ts';
import { readPrices } from './workload-prices.ts';

export interface PlanCommandOptions extends Pick<PlannedWorkload, 'workload'> {
  /** Other than the known ones of its region. */
  readonly prices: RegionPrices | undefined;
  readonly compare: boolean;
  readonly json: boolean;
  /** Where the page goes, when one is wanted. */
  readonly htmlFile: string | undefined;
}

export interface PlanAppOptions {
  readonly tables: readonly PlannedTable[];
  readonly json: boolean;
}

export type PlanCommandLine =
  | { readonly run: PlanCommandOptions }
  | { readonly app: PlanAppOptions }
  | { readonly help: true }
  | { readonly refused: readonly string[] };

export const planUsage = `Tells what a workload takes of the tables: for one message, a second, and a month in US dollars.

Usage: sagabox plan --messages-per-second N [options]
       sagabox plan --workload FILE [options]
       sagabox plan --app DIRECTORY [--json]

  --app DIRECTORY                the output of cdk synth: tells the plan of each table that has a workload, as it
                                 deploys it, and the total; nothing but --json goes with it
  --compare                      the same workload packed and itemized, optimistic and pessimistic, side by side
  --json                         write the plan as one JSON object
  --html FILE                    write the plan with charts as a page that needs no other file
  --prices FILE                  JSON or YAML, of the fields of \`RegionPrices\` of sagabox/capacity: of another region, or your own
  --help                         this text

${workloadUsage}

Nothing is called: the figures follow from the sizes that are given. 'sagabox measure' tells whether they hold.

Exit code: 0 when there is a plan, 1 when the page could not be written, 2 for what cannot be planned, with every problem.`;

/** Reads the command line, and what it names; what cannot be planned is refused with every problem. */
export async function readPlanCommand(args: readonly string[]): Promise<PlanCommandLine> {
  const { values, problems } = readArguments(args, {
    ...workloadOptions,
    app: { type: 'string' },
    compare: { type: 'boolean' },
    json: { type: 'boolean' },
    html: { type: 'string' },
    prices: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  });
  if (values.help === true) return { help: true };
  const app = textOf(values, 'app');
  if (app !== undefined) return await readApp(app, values, problems);
  const priced = await readPrices(textOf(values, 'prices'));
  const prices = 'prices' in priced ? priced.prices : undefined;
  const read = await readWorkload(values, {}, prices);
  const refused = [
    ...('problems' in priced ? priced.problems : []),
    ...allProblems(problems, 'problems' in read ? read.problems : []),
  ];
  if (refused.length > 0 || 'problems' in read) return { refused };
  return {
    run: {
      workload: read.workload,
      prices,
      compare: values.compare === true,
      json: values.json === true,
      htmlFile: textOf(values, 'html'),
    },
  };
}

async function readApp(
  app: string,
  values: OptionValues,
  problems: readonly string[],
): Promise<PlanCommandLine> {
  const refused = [...problems, ...problemsBesideApp(values)];
  const tables: PlannedTable[] = [];
  try {
    for (const found of await readAppTables(app)) {
      const planned = plannedTable(found, app);
      if ('table' in planned) tables.push(planned.table);
      else refused.push(...planned.problems);
    }
  } catch (error) {
    refused.push((error as Error).message);
  }
  return refused.length > 0 ? { refused } : { app: { tables, json: values.json === true } };
}

/** The tables are told as they are deployed: what another workload would take is another plan. */
function problemsBesideApp(values: OptionValues): string[] {
  return Object.keys(values)
    .filter((name) => name !== 'app' && name !== 'json')
    .map((name) => `--${name} does not go with --app, which tells the tables as they are deployed`);
}

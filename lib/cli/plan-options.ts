import { type OptionValues, readArguments, textOf } from './command-arguments.ts';
import { readAppWorkloads } from './plan-app.ts';
import type { NamedWorkload } from './plan-result.ts';
import { checkDescribed, readWorkload, workloadOptions, workloadUsage } from './workload-options.ts';

export interface PlanCommandOptions {
  readonly workloads: readonly NamedWorkload[];
  readonly compare: boolean;
  readonly json: boolean;
  /** Where the page goes, when one is wanted. */
  readonly htmlFile: string | undefined;
}

export type PlanCommandLine =
  | { readonly run: PlanCommandOptions }
  | { readonly help: true }
  | { readonly refused: readonly string[] };

export const planUsage = `Tells what a workload takes of the tables: for one message, a second, and a month in US dollars.

Usage: sagabox plan --messages-per-second N [options]
       sagabox plan --workload FILE [options]
       sagabox plan --app DIRECTORY [options]

  --app DIRECTORY                the output of cdk synth: plans each table that is made with Capacity.forWorkload
  --compare                      the same workload packed and itemized, optimistic and pessimistic, side by side
  --json                         write the plan as one JSON object
  --html FILE                    write the plan with charts as a page that needs no other file
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
    help: { type: 'boolean', short: 'h' },
  });
  if (values.help === true) return { help: true };
  const read = await readWorkloads(values);
  const refused = [...problems, ...('problems' in read ? read.problems : [])];
  if (refused.length > 0 || 'problems' in read) return { refused };
  return {
    run: {
      workloads: read.workloads,
      compare: values.compare === true,
      json: values.json === true,
      htmlFile: textOf(values, 'html'),
    },
  };
}

type Read = { readonly workloads: readonly NamedWorkload[] } | { readonly problems: readonly string[] };

async function readWorkloads(values: OptionValues): Promise<Read> {
  const app = textOf(values, 'app');
  if (app === undefined) {
    const read = await readWorkload(values);
    return 'workload' in read ? { workloads: [{ workload: read.workload }] } : read;
  }
  if (textOf(values, 'workload') !== undefined)
    return { problems: ['--app and --workload both describe the workload: give one of them'] };
  return await readApp(app, values);
}

async function readApp(app: string, values: OptionValues): Promise<Read> {
  let found: Awaited<ReturnType<typeof readAppWorkloads>>;
  try {
    found = await readAppWorkloads(app);
  } catch (error) {
    return { problems: [`${app}: ${(error as Error).message}`] };
  }
  const workloads: NamedWorkload[] = [];
  const problems: string[] = [];
  for (const { name, described } of found) {
    const checked = checkDescribed(described, values, `${app}: ${name}`);
    if ('workload' in checked) workloads.push({ name, workload: checked.workload });
    else problems.push(...checked.problems);
  }
  // A bad option is bad for each table, and is told once.
  return problems.length > 0 ? { problems: [...new Set(problems)] } : { workloads };
}

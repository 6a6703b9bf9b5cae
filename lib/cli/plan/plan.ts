import { writeFile } from 'node:fs/promises';
import { Option } from 'commander';
import { limitsOf, type RegionPrices } from '../../capacity/index.ts';
import { problemsOfPrices } from '../../capacity/rules/price-rules.ts';
import { problemText } from '../../kernel/checks/problems.ts';
import { type CommandDefinition, type CommandIo, RefusedInput, refusedConfiguration } from '../command.ts';
import { readDataFile } from '../data-file.ts';
import { jsonOption, stringOption } from '../option-values.ts';
import { planOfApp } from './app/plan-app.ts';
import { outboxForms } from './outbox-form.ts';
import { makePlan, type PlannedWorkload } from './planned-workload.ts';
import { describesWorkload, readWorkload, type WorkloadValues } from './read-workload.ts';
import { tablesOf } from './tables.ts';
import { textOfPlan } from './text.ts';
import { wantsColors } from './unit-bar.ts';
import { workloadFileOption, workloadOptions } from './workload-options.ts';

export interface PlanValues extends WorkloadValues {
  readonly app?: string;
  readonly compare?: boolean;
  readonly html?: string;
  readonly prices?: string;
}

const ofOneWorkload = [
  new Option(
    '--compare',
    'add the same workload with records and an embedded outbox, with and without locks, side by side',
  ),
  stringOption('--html <file>', 'write a page with charts, which needs no other file and no network'),
  stringOption('--prices <file>', 'prices as YAML or JSON: for a region that is not known here, or your own'),
  workloadFileOption,
  ...workloadOptions,
];

const whichWorkload = 'pass --messages-per-second <n>, --workload <file> or --app <directory>';

export const planCommand: CommandDefinition<PlanValues> = {
  usage: '(--messages-per-second <n> | --workload <file> | --app <directory>) [options]',
  options: [
    stringOption(
      '--app <directory>',
      'output of cdk synth: plan each of its tables that has a workload, as it deploys them, the total, and limits of the account',
    ).conflicts(ofOneWorkload.map((option) => option.attributeName())),
    jsonOption,
    ...ofOneWorkload,
  ],
  notes: `The plan calls no service: it follows from the sizes that you give.
'sagabox measure' shows whether they hold.`,
  async run(values, io) {
    if (values.app !== undefined) return await planOfApp(values.app);
    const { prices, problems } = await readPrices(values.prices);
    if (!describesWorkload(values)) throw new RefusedInput([...problems, whichWorkload]);
    const read = await readWorkload(values, {}, prices);
    if ('problems' in read) throw new RefusedInput([...problems, ...read.problems]);
    if (problems.length > 0) throw new RefusedInput(problems);
    const planned = makePlan(read.workload, values.compare ?? false, prices);
    const isWritten = values.html === undefined || (await writePage(planned, values.html, io));
    return {
      json: () => objectOfPlan(planned),
      lines: () => textOfPlan(planned, wantsColors(process.stdout, process.env)),
      failed: !isWritten,
    };
  },
};

/** For `--json`. */
export function objectOfPlan({ workload, plan, prices, comparison }: PlannedWorkload): object {
  const { perMessage, monthlyCost, ...others } = plan;
  const forms = outboxForms(workload, prices);
  const provisioned = tablesOf(plan).map(([table, capacity]) => [table, capacity.provisioned]);
  return {
    ...{ perMessage, provisioned: Object.fromEntries(provisioned), monthlyCost, ...others, workload },
    limits: limitsOf(workload),
    ...(forms !== undefined && { outboxForm: forms }),
    ...(comparison !== undefined && { comparison }),
  };
}

async function readPrices(file: string | undefined): Promise<{ prices?: RegionPrices; problems: string[] }> {
  if (file === undefined) return { problems: [] };
  try {
    const prices = await readDataFile(file);
    const problems = problemsOfPrices(prices, undefined, '');
    if (problems.length === 0) return { prices: prices as RegionPrices, problems: [] };
    return {
      problems: problems.map((found) => `${file}: ${problemText(found)}`),
    };
  } catch (error) {
    return { problems: [`${file}: ${(error as Error).message}`] };
  }
}

/** @returns whether it is written; the plan is printed all the same */
async function writePage(planned: PlannedWorkload, file: string, io: CommandIo): Promise<boolean> {
  const { planPage } = await loadPage();
  try {
    await writeFile(file, planPage(planned));
    io.err(`The page is ${file}.`);
    return true;
  } catch (error) {
    io.err(`The page could not be written: ${(error as Error).message}`);
    return false;
  }
}

/** @throws RefusedInput if echarts is not installed, which only the page needs */
async function loadPage() {
  const { loadOptionalPackage } = await import('../../kernel/calls/optional-package.ts');
  const load = () => import('./page.ts');
  return await loadOptionalPackage('echarts', 'sagabox plan --html', load).catch(refusedConfiguration);
}

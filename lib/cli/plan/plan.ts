import { writeFile } from 'node:fs/promises';
import { Option } from 'commander';
import type { RegionPrices } from '../../capacity/index.ts';
import { problemsOfPrices } from '../../capacity/rules/price-rules.ts';
import { SagaboxError } from '../../core/failures/errors.ts';
import { type CommandDefinition, type CommandIo, type CommandResult, RefusedInput } from '../command.ts';
import { jsonOption, stringOption } from '../option-values.ts';
import { planOfApp } from './app/result.ts';
import { paintFor } from './paint.ts';
import { readWorkload, type WorkloadValues } from './read-workload.ts';
import { makePlan, objectOfPlan, type PlannedWorkload, textOfPlan } from './result.ts';
import { readWorkloadFile } from './workload-file.ts';
import { workloadFileOption, workloadOptions } from './workload-options.ts';

export interface PlanValues extends WorkloadValues {
  readonly app?: string;
  readonly compare?: boolean;
  readonly html?: string;
  readonly prices?: string;
}

const ofOneWorkload = [
  new Option('--compare', 'add the same workload in both layouts, with and without locks, side by side'),
  stringOption('--html <file>', 'write a page with charts, which needs no other file and no network'),
  stringOption('--prices <file>', 'prices as YAML or JSON: for a region that is not known here, or your own'),
  workloadFileOption,
  ...workloadOptions,
];

export const planCommand: CommandDefinition<PlanValues> = {
  usage: '(--messages-per-second <n> | --workload <file> | --app <directory>) [options]',
  options: [
    stringOption(
      '--app <directory>',
      'output of cdk synth: plan each of its tables that has a workload, as it deploys them, and the total',
    ).conflicts(ofOneWorkload.map((option) => option.attributeName())),
    jsonOption,
    ...ofOneWorkload,
  ],
  notes: `The plan calls no service: it follows from the sizes that you give.
'sagabox measure' shows whether they hold.`,
  async run(values, io) {
    if (values.app !== undefined) return await planOfApp(values.app);
    const prices = await readPrices(values.prices);
    const read = await readWorkload(values, {}, 'prices' in prices ? prices.prices : undefined);
    const problems = [prices, read].flatMap((part) => ('problems' in part ? part.problems : []));
    if ('problems' in read || 'problems' in prices) throw new RefusedInput(problems);
    const planned = makePlan(read.workload, values.compare ?? false, prices.prices);
    return await planResult(planned, values.html, io);
  },
};

async function planResult(
  planned: PlannedWorkload,
  htmlFile: string | undefined,
  io: CommandIo,
): Promise<CommandResult> {
  const result = {
    json: () => objectOfPlan(planned),
    lines: () => textOfPlan(planned, paintFor(process.stdout, process.env)),
  };
  if (htmlFile === undefined) return { ...result, failed: false };
  const { planPage } = await loadPage();
  try {
    await writeFile(htmlFile, planPage(planned));
  } catch (error) {
    io.err(`The page could not be written: ${(error as Error).message}`);
    return { ...result, failed: true };
  }
  io.err(`The page is ${htmlFile}.`);
  return { ...result, failed: false };
}

/** @throws RefusedInput if echarts is not installed, which only the page needs */
async function loadPage() {
  const { loadOptionalPackage } = await import('../../adapters/shared/optional-package.ts');
  try {
    return await loadOptionalPackage('echarts', 'sagabox plan --html', () => import('./page.ts'));
  } catch (error) {
    throw error instanceof SagaboxError ? new RefusedInput([error.message]) : error;
  }
}

async function readPrices(
  file: string | undefined,
): Promise<{ prices: RegionPrices | undefined } | { problems: readonly string[] }> {
  if (file === undefined) return { prices: undefined };
  try {
    const prices = await readWorkloadFile(file);
    const problems = problemsOfPrices(prices, undefined, '');
    if (problems.length === 0) return { prices: prices as RegionPrices };
    return {
      problems: problems.map(({ path, problem }) => [file, path, problem].filter(Boolean).join(': ')),
    };
  } catch (error) {
    return { problems: [`${file}: ${(error as Error).message}`] };
  }
}

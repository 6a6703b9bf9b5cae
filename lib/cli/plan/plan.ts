import { writeFile } from 'node:fs/promises';
import { SagaboxError } from '../../core/failures/errors.ts';
import { type Command, type CommandIo, exitCodes } from '../command.ts';
import { jsonOfTables, textOfTables } from './app/result.ts';
import { type PlanAppOptions, type PlanCommandOptions, planUsage, readPlanCommand } from './options.ts';
import { paintFor } from './paint.ts';
import { jsonOfPlan, makePlan, type PlannedWorkload, textOfPlan } from './result.ts';

export const planCommand: Command = {
  usage: planUsage,
  async run(args, io) {
    const command = await readPlanCommand(args);
    if ('help' in command) {
      io.out(planUsage);
      return exitCodes.ok;
    }
    if ('refused' in command) return refuse(command.refused, io);
    if ('app' in command) return tellApp(command.app, io);
    return await plan(command.run, io);
  },
};

function tellApp({ tables, json }: PlanAppOptions, io: CommandIo): number {
  if (json) io.out(jsonOfTables(tables));
  else for (const line of textOfTables(tables)) io.out(line);
  return exitCodes.ok;
}

async function plan(options: PlanCommandOptions, io: CommandIo): Promise<number> {
  try {
    if (options.htmlFile !== undefined) await loadPage();
  } catch (error) {
    if (!(error instanceof SagaboxError)) throw error;
    io.err(error.message);
    return exitCodes.refused;
  }
  const planned = makePlan(options.workload, options.compare, options.prices);
  if (options.json) io.out(jsonOfPlan(planned));
  else for (const line of textOfPlan(planned, paintFor(process.stdout, process.env))) io.out(line);
  return options.htmlFile === undefined ? exitCodes.ok : await writePage(options.htmlFile, planned, io);
}

/** @throws SagaboxError `Configuration` if echarts is not installed, which is of use only here */
async function loadPage() {
  const { loadOptionalPackage } = await import('../../adapters/shared/optional-package.ts');
  return await loadOptionalPackage('echarts', 'sagabox plan --html', () => import('./page.ts'));
}

async function writePage(path: string, planned: PlannedWorkload, io: CommandIo): Promise<number> {
  const { planPage } = await loadPage();
  try {
    await writeFile(path, planPage(planned));
  } catch (error) {
    io.err(`The page could not be written: ${(error as Error).message}`);
    return exitCodes.failed;
  }
  io.err(`The page is ${path}.`);
  return exitCodes.ok;
}

function refuse(problems: readonly string[], io: CommandIo): number {
  const count = problems.length === 1 ? 'a problem' : `${problems.length} problems`;
  io.err(
    [
      `The workload cannot be planned, for ${count}:`,
      ...problems.map((problem) => `  ${problem}`),
      '',
      "'sagabox plan --help' tells the options.",
    ].join('\n'),
  );
  return exitCodes.refused;
}

import { writeFile } from 'node:fs/promises';
import { paintFor } from './charts/paint.ts';
import { type Command, type CommandIo, exitCodes } from './command.ts';
import { type PlanCommandOptions, planUsage, readPlanCommand } from './plan-options.ts';
import { jsonOfPlans, makePlan, type NamedPlan, textOfPlans } from './plan-result.ts';

export const planCommand: Command = {
  usage: planUsage,
  async run(args, io) {
    const command = await readPlanCommand(args);
    if ('help' in command) {
      io.out(planUsage);
      return exitCodes.ok;
    }
    if ('refused' in command) return refuse(command.refused, io);
    return await plan(command.run, io);
  },
};

async function plan(options: PlanCommandOptions, io: CommandIo): Promise<number> {
  const plans = options.workloads.map((named) => makePlan(named, options.compare));
  if (options.json) io.out(jsonOfPlans(plans));
  else for (const line of textOfPlans(plans, paintFor(process.stdout, process.env))) io.out(line);
  return options.htmlFile === undefined ? exitCodes.ok : await writePage(options.htmlFile, plans, io);
}

async function writePage(path: string, plans: readonly NamedPlan[], io: CommandIo): Promise<number> {
  // Its charts are only of use here.
  const { planPage } = await import('./plan-page.ts');
  try {
    await writeFile(path, planPage(plans));
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

/** Entry of `npm run prove-deploy`: the package deployed, loaded, killed, updated and destroyed. */
import { conclude, exitCodes, print, runCommand, writeJson } from '../support/command.ts';
import { ProgressLine } from '../support/progress-line.ts';
import { withFolder } from '../support/with-folder.ts';
import { pythonEnvironment } from './engine/python-environment.ts';
import { type ProveDeployOptions, readCommand, usage } from './options.ts';
import { Phases } from './phases.ts';
import { prove } from './proof.ts';
import { type Assemblies, synthesizeUpdates, synthesizeWhole, withSetting } from './proof-run.ts';
import { readStatements } from './statements/assembly-statements.ts';
import { tryEachStatement } from './statements/each-statement.ts';
import { outcomeComplaints, outcomeLines } from './statements/outcome.ts';
import type { Statement } from './statements/statement.ts';
import { figuresJson, summaryTable } from './summary.ts';
import { roundsOf } from './updates/updates.ts';
import { complaintsAbout } from './verdict.ts';

async function run(options: ProveDeployOptions, signal: AbortSignal): Promise<number> {
  const { mode } = options;
  if (mode.kind === 'listStatements') return await listStatements(signal);
  if (mode.kind === 'eachStatement') return await runEachStatement(options, mode.only, signal);
  const progressLine = new ProgressLine(process.stderr);
  const say = (line: string) => {
    progressLine.end();
    print(line);
  };
  const environment = await pythonEnvironment(signal, say);
  const phases = new Phases(say);
  const rounds = roundsOf(options.eachUpdate);
  const synthesizeAll = (directory: string, own: AbortSignal) => synthesizeUpdates(directory, rounds, own);
  const figures = await withSetting(environment, phases, signal, synthesizeAll, async (setting) => {
    const statement = await statementNamed(mode.withoutStatement, setting.assemblies);
    const { orders, kills } = options;
    return await prove(setting, { orders, kills, withoutStatement: statement }, (text) =>
      progressLine.show(text),
    );
  }).finally(() => progressLine.end());
  const timing = { seconds: phases.secondsOfAll, secondsByPhase: phases.seconds };
  await writeJson(options.jsonFile, figuresJson(figures, timing));
  print(`\n${summaryTable(figures, timing)}`);
  return conclude(complaintsAbout(figures), 'OK', '\n       ');
}

async function runEachStatement(
  { jsonFile }: ProveDeployOptions,
  only: string | undefined,
  signal: AbortSignal,
): Promise<number> {
  const environment = await pythonEnvironment(signal, print);
  const outcomes = await withSetting(environment, new Phases(print), signal, synthesizeWhole, (setting) =>
    tryEachStatement(setting, ({ name }) => only === undefined || name.includes(only), print),
  );
  await writeJson(jsonFile, outcomes);
  print(`\n${outcomeLines(outcomes).join('\n')}`);
  return conclude(outcomeComplaints(outcomes), 'OK', '\n       ');
}

async function listStatements(signal: AbortSignal): Promise<number> {
  return await withFolder('sagabox-assemblies-', async (directory) => {
    const { sample, updated } = await synthesizeWhole(directory, signal);
    for (const { name, actions } of await allStatements([sample, updated]))
      print(`${name}  ${actions.join(', ')}`);
    return exitCodes.ok;
  });
}

async function allStatements(assemblies: readonly string[]): Promise<Statement[]> {
  return (await Promise.all(assemblies.map(readStatements))).flat();
}

async function statementNamed(
  name: string | undefined,
  { sample, proof, rounds }: Assemblies,
): Promise<Statement | undefined> {
  if (name === undefined) return undefined;
  const all = [sample, proof, ...rounds.flat().map(({ assembly }) => assembly)];
  const found = (await allStatements(all)).find((statement) => statement.name === name);
  if (found === undefined) throw new Error(`There is no statement ${name}: see --list-statements`);
  return found;
}

process.exitCode = await runCommand(readCommand(process.argv.slice(2)), usage, run);

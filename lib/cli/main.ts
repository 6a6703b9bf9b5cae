import { Command, CommanderError } from 'commander';
import { isSagaboxError } from '../kernel/errors/errors.ts';
import {
  type CommandDefinition,
  type CommandIo,
  type CommandResult,
  exitCodes,
  RefusedInput,
} from './command.ts';
import { commands } from './commands.ts';
import { commandIo, type Terminal } from './terminal.ts';
import { packageVersion } from './version.ts';

const exitCodeNote =
  'Exit code: 0 on success, 1 if something failed, 2 if the command line or a file that it names is refused.';

/** Runs one command line. @returns the exit code */
export async function main(line: readonly string[], terminal: Terminal): Promise<number> {
  const io = commandIo(terminal);
  const args = withoutHelpCommand(line);
  let exitCode: number = exitCodes.ok;
  const program = new Command('sagabox')
    .helpCommand(false)
    .version(packageVersion(), '-V, --version', 'print the version of sagabox')
    .showHelpAfterError("'sagabox --help' lists the commands.")
    .addHelpText('after', `\n'sagabox <command> --help' lists the options of a command.\n\n${exitCodeNote}`)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => linesIn(text).forEach(io.out),
      writeErr: (text) => linesIn(text).forEach(io.err),
    });
  for (const { name, summary, load } of commands) {
    const command = program.command(name).description(summary);
    if (name !== args[0]) continue;
    const definition = await load();
    addDefinition(command, definition).action(async () => {
      const values = valuesOf(command);
      const work = () => definition.run(values as never, io);
      exitCode = await runCommand(name, work, values.json === true, io);
    });
  }
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.ok : exitCodes.refused;
  }
  return exitCode;
}

/** `help plan` is `plan --help`: only the command that comes first is loaded. */
function withoutHelpCommand(line: readonly string[]): readonly string[] {
  const [first, asked] = line;
  if (first !== 'help') return line;
  if (asked === undefined) return ['--help'];
  // An unknown name alone is refused; with --help, it would have the help of all commands.
  return commands.some(({ name }) => name === asked) ? [asked, '--help'] : [asked];
}

export function addDefinition(
  command: Command,
  { usage, arguments: positional = [], options, notes }: CommandDefinition<never>,
): Command {
  command.usage(usage).showHelpAfterError(helpHint(command.name()));
  for (const argument of positional) command.addArgument(argument);
  for (const option of options) command.addOption(option);
  return command.addHelpText('after', `\n${notes}\n\n${exitCodeNote}`);
}

/** What a command line gives a command: options by their attribute names, arguments by their own. */
export function valuesOf(command: Command): Record<string, unknown> {
  const positional = command.registeredArguments.map((argument, index) => [
    argument.name(),
    command.processedArgs[index],
  ]);
  return { ...command.opts(), ...Object.fromEntries(positional) };
}

/** Prints the result of a command, or why there is none. @returns the exit code */
export async function runCommand(
  name: string,
  work: () => Promise<CommandResult>,
  asJson: boolean,
  io: CommandIo,
): Promise<number> {
  try {
    const { json, lines, failed, problem } = await work();
    for (const line of asJson ? [JSON.stringify(json())] : lines()) io.out(line);
    if (asJson && problem !== undefined) io.err(problem);
    return failed ? exitCodes.failed : exitCodes.ok;
  } catch (error) {
    if (error instanceof RefusedInput) {
      // What is wrong with a file may be shown in several lines.
      const problems = error.problems.flatMap((problem) => linesIn(`error: ${problem}`));
      for (const line of [...problems, helpHint(name)]) io.err(line);
      return exitCodes.refused;
    }
    io.err(io.signal.aborted ? 'Interrupted' : messageOf(error));
    return exitCodes.failed;
  }
}

function linesIn(text: string): string[] {
  return text.trimEnd().split('\n');
}

/** With the code that docs/reference/errors.md lists. */
function messageOf(error: unknown): string {
  if (isSagaboxError(error)) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}

function helpHint(name: string): string {
  return `'sagabox ${name} --help' lists the options.`;
}

import { type CommandIo, exitCodes } from './command.ts';
import { commands } from './commands.ts';

const width = Math.max(...commands.map(({ name }) => name.length));

export const usage = `Usage: sagabox <command> [options]

Commands:
${commands.map(({ name, summary }) => `  ${name.padEnd(width)}   ${summary}`).join('\n')}

'sagabox <command> --help' tells more. Exit code: 0 when all went well, 1 when something failed, 2 for a command line that
is not understood.`;

/** Runs the command that a command line names. @returns the exit code */
export async function main(args: readonly string[], io: CommandIo): Promise<number> {
  const [name, ...rest] = args;
  if (name === '--help' || name === '-h') {
    io.out(usage);
    return exitCodes.ok;
  }
  const entry = commands.find((known) => known.name === name);
  if (entry === undefined) {
    io.err(name === undefined ? 'No command is given.' : `There is no command '${name}'.`);
    io.err(`\n${usage}`);
    return exitCodes.refused;
  }
  const command = await entry.load();
  return await command.run(rest, io);
}

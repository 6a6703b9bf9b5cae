import { Command } from 'commander';
import type { CommandDefinition, CommandIo } from '../../lib/cli/command.ts';
import { addDefinition } from '../../lib/cli/main.ts';

/** Keeps what a command writes. */
export function commandIo(signal: AbortSignal = new AbortController().signal) {
  const out: string[] = [];
  const err: string[] = [];
  const io: CommandIo = {
    out: (line) => void out.push(line),
    err: (line) => void err.push(line),
    signal,
  };
  return { io, out, err };
}

/** What a command line gives a command. @throws CommanderError */
export function valuesOf<Values>(definition: CommandDefinition<Values>, args: readonly string[]): Values {
  const silent = { writeOut: () => {}, writeErr: () => {} };
  const command = new Command('test').exitOverride().configureOutput(silent);
  return addDefinition(command, definition).parse(args, { from: 'user' }).opts() as Values;
}

import type { CommandDefinition } from '../command.ts';
import { whileLaunched } from './launcher.ts';
import { type LocalValues, localArguments, localOptions, readMessages } from './options.ts';
import { runLocally } from './run.ts';
import { synthCommand } from './watch/synth.ts';

export const localCommand: CommandDefinition<LocalValues> = {
  usage: '<directory> [options]',
  arguments: localArguments,
  options: localOptions,
  notes: `The app runs until it is interrupted (Ctrl-C), or what started it has ended, such as npx: its tables, queues,
topics, buses and schedules are in memory, and are gone then. Nothing is called but this machine.
SAGABOX_DYNAMODB_ENDPOINT and SAGABOX_DYNAMODB_ENGINE choose the DynamoDB engine. With --json, each event is an
object on a line.`,
  async run(values, io) {
    const messages = await readMessages(values);
    const synth = values.watch ? synthCommand(values.directory, values.synth) : undefined;
    return await whileLaunched(io, (launched) => runLocally({ ...values, messages, synth }, launched));
  },
};

import { commandsOfPages, wordsOf } from '../support/page-blocks.ts';

/** The commands of the examples' pages that run without an account, and begin as given. */
export function exampleCommands(pattern: RegExp): [command: string, words: string[]][] {
  return commandsOfPages()
    .filter(
      ({ place, command, needs }) =>
        place.startsWith('examples/') && needs === undefined && pattern.test(command),
    )
    .map(({ command }) => [command, wordsOf(command)]);
}

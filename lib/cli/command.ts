import type { Argument, Option } from 'commander';
import { isSagaboxError } from '../kernel/errors/errors.ts';

/**
 * A line without a word of anybody else, which may have colors. Of all other lines, control characters are escaped:
 * senders choose ids, types and texts.
 */
export interface OwnLine {
  readonly own: string;
}

export type Line = string | OwnLine;

/** Where a command writes, and what can stop it. */
export interface CommandIo {
  /** One line of the result, as {@link err}. */
  readonly out: (line: Line) => void;
  /** One line of progress, or of what went wrong. A line break in it is escaped. */
  readonly err: (line: string) => void;
  /** Aborted when the user interrupts the command. */
  readonly signal: AbortSignal;
}

export const exitCodes = { ok: 0, failed: 1, refused: 2 } as const;

/** What the parser, `--help` and the tables of docs/reference/cli.md are made of. */
export interface CommandDefinition<Values> {
  /** Arguments that the usage line shows. */
  readonly usage: string;
  /**
   * Values without an option before them, which `run` gets by their names.
   *
   * @default none
   */
  readonly arguments?: readonly Argument[];
  readonly options: readonly Option[];
  /** What `--help` prints below the options. */
  readonly notes: string;
  /**
   * @param values of the options, by their attribute names, and of the arguments, by their names
   * @throws RefusedInput
   */
  readonly run: (values: Values, io: CommandIo) => Promise<CommandResult>;
}

export interface CommandResult {
  /** For `--json`. */
  readonly json: () => object;
  readonly lines: () => readonly Line[];
  /** The exit code is 1. */
  readonly failed: boolean;
  /** Part of the lines; with `--json` it is on stderr too, as only a program may read the object. */
  readonly problem?: string | undefined;
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}

/** Bad input: the exit code is 2. */
export class RefusedInput extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.problems = problems;
  }
}

/** For the errors of work that the command line configures. @throws RefusedInput for `Configuration` */
export function refusedConfiguration(error: unknown): never {
  const isRefused = isSagaboxError(error) && error.code === 'Configuration';
  throw isRefused ? new RefusedInput([error.message]) : error;
}

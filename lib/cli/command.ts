/** Where a command writes, and what can stop it. */
export interface CommandIo {
  /** One line of the result. */
  readonly out: (line: string) => void;
  /** One line about the way there: progress, and what went wrong. */
  readonly err: (line: string) => void;
  /** Aborted when the user interrupts the command. */
  readonly signal: AbortSignal;
}

export const exitCodes = { ok: 0, failed: 1, refused: 2 } as const;

export interface Command {
  readonly usage: string;
  /** @returns the exit code */
  readonly run: (args: readonly string[], io: CommandIo) => Promise<number>;
}

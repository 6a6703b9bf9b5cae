import type { CommandIo } from './command.ts';

/** Where the lines of a program go. */
export interface Terminal {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  /** Aborted when the user interrupts the command. */
  readonly signal: AbortSignal;
}

/** The one writer of all commands. */
export function commandIo({ out, err, signal }: Terminal): CommandIo {
  return {
    out: (line) => out(typeof line === 'string' ? escaped(line) : line.own),
    err: (line) => err(escaped(line)),
    signal,
  };
}

/**
 * A line that stays one, and says nothing to a terminal: without control characters, of C1 too, marks of direction and
 * separators of lines. The escapes are those of JSON, so that JSON remains what it is. A tab is left: it only moves on.
 */
function escaped(line: string): string {
  return line.replace(/(?!\t)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, (character) => {
    if (character === '\n') return '\\n';
    if (character === '\r') return '\\r';
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

import type { CommandIo } from '../../lib/cli/command.ts';

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

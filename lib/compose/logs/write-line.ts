import { Console } from 'node:console';

let lines: Console | undefined;

/**
 * Writes a line to `process.stdout`, where Lambda takes it as it is: Lambda's `console` would wrap it into
 * another object. Never throws, whatever the state of the stream.
 */
export function writeLine(line: string): void {
  lines ??= new Console({ stdout: process.stdout });
  lines.log(line);
}

/** Whether lines are waiting, because the reader of a full pipe has not taken them yet. */
export function hasWaitingLines(): boolean {
  return process.stdout.writableLength > 0;
}

/**
 * Waits until the system has all lines: Lambda freezes those that are left. Never throws; a closed stream
 * takes nothing.
 */
export async function linesWritten(): Promise<void> {
  const { stdout } = process;
  if (!hasWaitingLines()) return;
  const { promise: written, resolve } = Promise.withResolvers<void>();
  const ignore = () => {};
  // A failed write is an event, too, which would end the process without a listener.
  stdout.on('error', ignore);
  try {
    stdout.write('', () => resolve());
    await written;
  } catch {
    // A replaced `write` may throw: it has taken nothing, and nothing waits.
  } finally {
    setImmediate(() => stdout.off('error', ignore));
  }
}

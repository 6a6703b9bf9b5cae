import { Console } from 'node:console';

let lines: Console | undefined;

/**
 * Writes a line to `process.stdout`, where Lambda takes it as it is: its own `console` would wrap it into an
 * object of its own. Never throws, whatever has become of the stream.
 */
export function writeLine(line: string): void {
  lines ??= new Console({ stdout: process.stdout });
  lines.log(line);
}

/** Whether a pipe is full: its reader has not taken all lines yet. */
export function hasWaitingLines(): boolean {
  return process.stdout.writableLength > 0;
}

/**
 * Waits until the system has all lines: Lambda freezes what is left. Never throws; a stream that is closed
 * takes nothing.
 */
export async function linesWritten(): Promise<void> {
  const { stdout } = process;
  if (!hasWaitingLines()) return;
  const { promise: written, resolve } = Promise.withResolvers<void>();
  const ignore = () => {};
  // A write that fails is an event too, which would end the process if nobody listened.
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

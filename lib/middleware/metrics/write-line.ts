/**
 * Writes a line to `process.stdout`, where Lambda takes it as it is: its `console` would wrap it into an
 * object of its own.
 *
 * @throws what a replaced `write` throws; a stream that is closed takes nothing, and throws nothing
 */
export async function writeLine(line: string): Promise<void> {
  const { stdout } = process;
  const { promise: written, resolve } = Promise.withResolvers<void>();
  const ignore = () => {};
  // A write that fails is an event too, which would end the process if nobody listened.
  stdout.on('error', ignore);
  try {
    stdout.write(`${line}\n`, () => resolve());
    // The system has it, even if a `write` that was replaced calls nobody back.
    if (stdout.writableLength === 0) resolve();
    await written;
  } finally {
    setImmediate(() => stdout.off('error', ignore));
  }
}

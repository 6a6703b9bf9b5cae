export const exitCodes = { ok: 0, failed: 1, refused: 2, interrupted: 130 } as const;

/** What a command line asks for. */
export type Command<Options> =
  | { readonly run: Options }
  | { readonly help: string }
  | { readonly refused: string };

/**
 * Carries a command out; a signal to end aborts its run.
 *
 * @returns the exit code
 */
export async function runCommand<Options>(
  command: Command<Options>,
  usage: string,
  run: (options: Options, signal: AbortSignal) => Promise<number>,
): Promise<number> {
  if ('help' in command) {
    console.log(command.help);
    return exitCodes.ok;
  }
  if ('refused' in command) {
    console.error(`${command.refused}\n\n${usage}`);
    return exitCodes.refused;
  }
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => interrupted.abort());
  }
  try {
    return await run(command.run, interrupted.signal);
  } catch (error) {
    if (interrupted.signal.aborted) {
      console.error('Interrupted: everything that was started has been stopped.');
      return exitCodes.interrupted;
    }
    console.error(`FAILED ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return exitCodes.failed;
  }
}

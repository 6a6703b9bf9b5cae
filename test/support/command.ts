import { open, writeFile } from 'node:fs/promises';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { whenClosed } from '../../lib/cli/closed-output.ts';

/** `busy`: the machine was too busy to judge what was measured. */
export const exitCodes = { ok: 0, failed: 1, refused: 2, busy: 3, interrupted: 130 } as const;

/**
 * An option whose value turns out to be of no use when the command is carried out, such as a file that is
 * missing.
 */
export class RefusedOption extends Error {
  override readonly name = 'RefusedOption';
}

/** A program or package that a command needs and this machine lacks; the message tells how to get it. */
export class MissingPrerequisite extends Error {
  override readonly name = 'MissingPrerequisite';
}

/** What a command line asks for. */
export type Command<Options> =
  | { readonly run: Options }
  | { readonly help: string }
  | { readonly refused: string };

/** An option of a command line, and how its value is read. */
interface Option<Value> {
  readonly type: 'string' | 'boolean';
  /** @throws Error, with what the option takes, for a value that it does not take */
  readonly read: (name: string, given: string | boolean | undefined) => Value;
}
type Values<Options> = {
  readonly [Name in keyof Options]: Options[Name] extends Option<infer Value> ? Value : never;
};

/** A whole number within the range, the bounds included. */
export function whole<Default extends number | undefined>(
  [minimum, maximum]: readonly [minimum: number, maximum: number],
  standard: Default,
): Option<number | Default> {
  return stringOption((name, given) => {
    if (given === undefined) return standard;
    const value = Number(given);
    if (/^-?\d+$/.test(given) && value >= minimum && value <= maximum) return value;
    throw new Error(`--${name} takes a whole number from ${minimum} to ${maximum}, not '${given}'`);
  });
}

export function oneOf<Name extends string>(names: readonly Name[], standard: NoInfer<Name>): Option<Name> {
  return stringOption((option, given = standard) => {
    const found = names.find((name) => name === given);
    if (found !== undefined) return found;
    throw new Error(`--${option} takes ${names.join(', ')}, not '${given}'`);
  });
}

export const file: Option<string | undefined> = stringOption((name, given) => {
  if (given === '') throw new Error(`--${name} takes the path of a file`);
  return given;
});
export const anyString: Option<string | undefined> = stringOption((_name, given) => given);
export const flag: Option<boolean> = { type: 'boolean', read: (_name, given) => given === true };

function stringOption<Value>(read: (name: string, given: string | undefined) => Value): Option<Value> {
  return { type: 'string', read: (name, given) => read(name, given as string | undefined) };
}

/**
 * Reads a command line; refuses what it does not understand with a reason.
 *
 * @param toRun what it throws is such a reason
 * @param names 'names' if it takes names beside options, which `toRun` then gets
 */
export function readCommandLine<Options extends Record<string, Option<unknown>>, Run>(
  args: readonly string[],
  usage: string,
  options: Options,
  toRun: (values: Values<Options>, names: readonly string[]) => Run,
  names: 'no names' | 'names' = 'no names',
): Command<Run> {
  const config: ParseArgsOptionsConfig = Object.fromEntries(
    Object.entries(options).map(([name, { type }]) => [name, { type }]),
  );
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: names === 'names',
      options: { ...config, help: { type: 'boolean', short: 'h' } },
    });
    const given: Record<string, unknown> = values;
    if (given.help) return { help: usage };
    const read = Object.entries(options).map(([name, option]) => [
      name,
      option.read(name, given[name] as string | boolean | undefined),
    ]);
    return { run: toRun(Object.fromEntries(read), positionals) };
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}

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
  const interrupted = new AbortController();
  for (const stream of [process.stdout, process.stderr]) whenClosed(stream, () => interrupted.abort());
  if ('help' in command) {
    print(command.help);
    return exitCodes.ok;
  }
  if ('refused' in command) {
    tell(`${command.refused}\n\n${usage}`);
    return exitCodes.refused;
  }
  const interrupt = () => interrupted.abort();
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.once(signal, interrupt);
  try {
    return await run(command.run, interrupted.signal);
  } catch (error) {
    if (error instanceof RefusedOption || error instanceof MissingPrerequisite) {
      tell(error.message);
      return exitCodes.refused;
    }
    if (interrupted.signal.aborted) {
      tell('Interrupted: everything that was started has been stopped.');
      return exitCodes.interrupted;
    }
    tell(`FAILED ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return exitCodes.failed;
  } finally {
    for (const signal of signals) process.removeListener(signal, interrupt);
  }
}

/**
 * Prints how the run ended.
 *
 * @returns the exit code
 */
export function conclude(complaints: readonly string[], ok = 'OK', separator = '; '): number {
  print(complaints.length === 0 ? `\n${ok}` : `\nFAILED ${complaints.join(separator)}`);
  return complaints.length === 0 ? exitCodes.ok : exitCodes.failed;
}

/**
 * For a command to call before it measures, which takes long. What the file holds stays: it is opened to
 * append.
 *
 * @throws RefusedOption if the file of `--json` is named and cannot be written to
 */
export async function assertWritable(path: string | undefined): Promise<void> {
  if (path === undefined) return;
  const handle = await open(path, 'a').catch((error) => {
    throw new RefusedOption(`--json: ${error.message}`);
  });
  await handle.close();
}

/** Nothing is written if no file is named. */
export async function writeJson(path: string | undefined, value: unknown): Promise<void> {
  if (path !== undefined) await writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

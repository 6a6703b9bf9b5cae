import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { environmentName } from '../engine/access.ts';
import { type ProgramResult, runProgram } from '../engine/run-program.ts';

const commandLine = join(import.meta.dirname, '..', 'node_modules', 'aws-cdk', 'bin', 'cdk');
const differs = 1;
/** Those under a stage too, which `--all` leaves out. */
const allStacks = '**';

export type Outputs = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** The CDK's own command line, on assemblies that are synthesized already. */
export class Cdk {
  readonly #environment: NodeJS.ProcessEnv;
  readonly #directory: string;
  readonly #signal: AbortSignal;

  /** @param directory where it works: not where a cdk.json names another app. */
  constructor(environment: NodeJS.ProcessEnv, directory: string, signal: AbortSignal) {
    this.#environment = environment;
    this.#directory = directory;
    this.#signal = signal;
  }

  async bootstrap(): Promise<void> {
    await this.#run(['bootstrap', environmentName], this.#signal);
  }

  async deploy(assembly: string, signal = this.#signal): Promise<Outputs> {
    const file = join(assembly, 'deployed-outputs.json');
    const stacksAtATime = ['--concurrency', '4'];
    const options = ['--require-approval', 'never', ...stacksAtATime, '--outputs-file', file];
    await this.#run(['deploy', allStacks, '--app', assembly, ...options], signal);
    return JSON.parse(await readFile(file, 'utf8')) as Outputs;
  }

  /** @returns whether what is deployed differs from the assembly */
  async diff(assembly: string, signal = this.#signal): Promise<boolean> {
    const command = ['diff', allStacks, '--fail', '--app', assembly];
    const { exitCode } = await this.#run(command, signal, [0, differs]);
    return exitCode === differs;
  }

  async destroy(assembly: string, signal = this.#signal): Promise<void> {
    await this.#run(['destroy', allStacks, '--force', '--app', assembly], signal);
  }

  async #run(
    args: readonly string[],
    signal: AbortSignal,
    accepted: readonly number[] = [0],
  ): Promise<ProgramResult> {
    // It has no cdk.json here that would say so, and would fetch the notices from the internet.
    return await runProgram(process.execPath, [commandLine, ...args, '--no-notices'], {
      signal,
      environment: this.#environment,
      workingDirectory: this.#directory,
      accepted,
    });
  }
}

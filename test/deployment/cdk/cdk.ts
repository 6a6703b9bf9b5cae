import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { environmentName } from '../engine/access.ts';
import { type ProgramResult, runProgram } from '../engine/run-program.ts';

const commandLine = join(import.meta.dirname, '..', '..', '..', 'node_modules', 'aws-cdk', 'bin', 'cdk');
const differs = 1;

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
    await this.#run(['bootstrap', environmentName]);
  }

  /** @returns the outputs of each stack */
  async deploy(assembly: string): Promise<Outputs> {
    const file = join(assembly, 'deployed-outputs.json');
    const stacksAtATime = ['--concurrency', '4'];
    await this.#run([
      ...['deploy', '--all', '--app', assembly, '--require-approval', 'never'],
      ...[...stacksAtATime, '--outputs-file', file],
    ]);
    return JSON.parse(await readFile(file, 'utf8')) as Outputs;
  }

  /** @returns whether what is deployed differs from the assembly */
  async diff(assembly: string): Promise<boolean> {
    const { exitCode } = await this.#run(['diff', '--all', '--fail', '--app', assembly], [0, differs]);
    return exitCode === differs;
  }

  async destroy(assembly: string): Promise<void> {
    await this.#run(['destroy', '--all', '--force', '--app', assembly]);
  }

  async #run(args: readonly string[], accepted: readonly number[] = [0]): Promise<ProgramResult> {
    return await runProgram(process.execPath, [commandLine, ...args], {
      signal: this.#signal,
      environment: this.#environment,
      workingDirectory: this.#directory,
      accepted,
    });
  }
}

import { join } from 'node:path';
import { settleAll, settled } from '../../lib/core/async/settle.ts';
import { withFolder } from '../support/with-folder.ts';
import { apps, synthesize } from './cdk/assemblies.ts';
import { Cdk } from './cdk/cdk.ts';
import { type Clients, environmentFor, withClients } from './engine/access.ts';
import { AwsCalls } from './engine/aws-calls.ts';
import { type Emulator, startEmulator } from './engine/emulator.ts';
import type { PythonEnvironment } from './engine/python-environment.ts';
import { runProgram } from './engine/run-program.ts';
import { runTogether } from './engine/run-together.ts';
import type { Phases } from './phases.ts';

const scripts = join(import.meta.dirname, 'emulator');

export interface Setting {
  readonly emulator: Emulator;
  readonly clients: Clients;
  readonly calls: AwsCalls;
  readonly cdk: Cdk;
  readonly assemblies: Assemblies;
  readonly phases: Phases;
  readonly engine: string;
  readonly signal: AbortSignal;
}

export interface Assemblies {
  readonly sample: string;
  /** As it is deployed first. */
  readonly proof: string;
  /** With the update. */
  readonly updated: string;
}

export async function synthesizeAll(directory: string, signal: AbortSignal): Promise<Assemblies> {
  const assemblies = {
    sample: join(directory, 'sample'),
    proof: join(directory, 'proof'),
    updated: join(directory, 'updated'),
  };
  await runTogether(signal, [
    (own) => synthesize(apps.sample, assemblies.sample, own),
    (own) => synthesize(apps.proof, assemblies.proof, own),
    (own) => synthesize(apps.proof, assemblies.updated, own, { updated: true }),
  ]);
  return assemblies;
}

/** Starts the emulator and synthesizes the apps, and ends and removes everything when the work is over. */
export async function withSetting<T>(
  { python, ministackVersion }: PythonEnvironment,
  phases: Phases,
  signal: AbortSignal,
  work: (setting: Setting) => Promise<T>,
): Promise<T> {
  return await withFolder('sagabox-assemblies-', async (directory) => {
    let emulator: Emulator | undefined;
    let calls: AwsCalls | undefined;
    const workInSetting = async (): Promise<T> => {
      const [running, assemblies] = await phases.run('synthesize, start the emulator', () =>
        runTogether(signal, [
          async (own) => {
            emulator = await startEmulator(python, own);
            return emulator;
          },
          (own) => synthesizeAll(directory, own),
          (own) => runProgram(python, ['-B', join(scripts, 'test_aws_names.py')], { signal: own }),
        ]),
      );
      const environment = environmentFor(running);
      const made = new AwsCalls(python, environment, running.endpoint);
      calls = made;
      const cdk = new Cdk(environment, directory, signal);
      const engine = `ministack ${ministackVersion}`;
      return await withClients(running, (clients) =>
        work({ emulator: running, clients, calls: made, cdk, assemblies, phases, engine, signal }),
      );
    };
    const working = workInSetting();
    await settled(working);
    const [result] = await settleAll([working, calls?.stop(), emulator?.stop()]);
    return result;
  });
}

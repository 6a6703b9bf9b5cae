import { join } from 'node:path';
import { settleAll, settled } from '../../lib/kernel/async/settle.ts';
import { runTogether } from '../support/load-kill-verify/run-together.ts';
import { withFolder } from '../support/with-folder.ts';
import { apps, synthesize } from './cdk/assemblies.ts';
import { Cdk } from './cdk/cdk.ts';
import { type Clients, environmentFor, withClients } from './engine/access.ts';
import { AwsCalls } from './engine/aws-calls.ts';
import { type Emulator, startEmulator } from './engine/emulator.ts';
import type { PythonEnvironment } from './engine/python-environment.ts';
import { runProgram } from './engine/run-program.ts';
import type { AppUpdate } from './load/deploy-update.ts';
import type { Phases } from './phases.ts';
import { contextAfter, type Round, updatedApps } from './updates/updates.ts';

const scripts = join(import.meta.dirname, 'emulator');

export interface Setting<Synthesized = Assemblies> {
  readonly emulator: Emulator;
  readonly clients: Clients;
  readonly calls: AwsCalls;
  readonly cdk: Cdk;
  readonly assemblies: Synthesized;
  readonly phases: Phases;
  readonly engine: string;
  readonly signal: AbortSignal;
}

/** As they are before all updates of the running apps, and what these deploy. */
export interface Assemblies {
  readonly sample: string;
  readonly proof: string;
  readonly rounds: readonly (readonly AppUpdate[])[];
}

/** The sample, and the proof's app with all that an update adds. */
export interface WholeApps {
  readonly sample: string;
  readonly updated: string;
}

export async function synthesizeWhole(directory: string, signal: AbortSignal): Promise<WholeApps> {
  const assemblies = { sample: join(directory, 'sample'), updated: join(directory, 'updated') };
  await runTogether(signal, [
    (own) => synthesize(apps.sample, assemblies.sample, own),
    (own) => synthesize(apps.proof, assemblies.updated, own, { updated: true }),
  ]);
  return assemblies;
}

export async function synthesizeUpdates(
  directory: string,
  rounds: readonly Round[],
  signal: AbortSignal,
): Promise<Assemblies> {
  const [sample, proof] = [join(directory, 'sample'), join(directory, 'proof')];
  const planned = rounds.map((round, index) =>
    updatedApps
      .map((app) => ({
        app,
        assembly: join(directory, `${app}-${index + 1}`),
        updates: round.filter((update) => update.app === app),
        context: contextAfter(rounds.slice(0, index + 1), app),
      }))
      .filter(({ updates }) => updates.length > 0),
  );
  await runTogether(signal, [
    (own: AbortSignal) => synthesize(apps.sample, sample, own),
    (own: AbortSignal) => synthesize(apps.proof, proof, own),
    ...planned.flat().map(
      ({ app, assembly, context }) =>
        (own: AbortSignal) =>
          synthesize(apps[app], assembly, own, context),
    ),
  ]);
  return { sample, proof, rounds: planned };
}

/** Starts the emulator and synthesizes the apps, and ends and removes everything when the work is over. */
export async function withSetting<Synthesized, T>(
  { python, ministackVersion }: PythonEnvironment,
  phases: Phases,
  signal: AbortSignal,
  synthesizeAll: (directory: string, signal: AbortSignal) => Promise<Synthesized>,
  work: (setting: Setting<Synthesized>) => Promise<T>,
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
          (own) => runProgram(python, ['-B', '-m', 'unittest', 'discover', '-s', scripts], { signal: own }),
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

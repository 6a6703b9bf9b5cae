import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { apps, synthesize } from './cdk/assemblies.ts';
import { Cdk } from './cdk/cdk.ts';
import { type Clients, environmentFor, withClients } from './engine/access.ts';
import { AwsCalls } from './engine/aws-calls.ts';
import { type Emulator, startEmulator } from './engine/emulator.ts';
import { pythonEnvironment } from './engine/python-environment.ts';
import { runProgram } from './engine/run-program.ts';
import { Phases } from './phases.ts';

/** What a run works with. */
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

/** The directories of the cloud assemblies. */
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
  await Promise.all([
    synthesize(apps.sample, assemblies.sample, signal),
    synthesize(apps.proof, assemblies.proof, signal),
    synthesize(apps.proof, assemblies.updated, signal, { updated: true }),
  ]);
  return assemblies;
}

/** Starts the emulator and synthesizes the apps, and ends and removes everything when the work is over. */
export async function withSetting<T>(
  signal: AbortSignal,
  say: (line: string) => void,
  work: (setting: Setting) => Promise<T>,
): Promise<T> {
  const { python, version } = await pythonEnvironment(signal, say);
  const directory = await mkdtemp(join(tmpdir(), 'sagabox-assemblies-'));
  let emulator: Emulator | undefined;
  let calls: AwsCalls | undefined;
  const phases = new Phases(say);
  try {
    const assemblies = await phases.run('synthesize, start the emulator', async () => {
      const [made, started, checked] = await Promise.allSettled([
        synthesizeAll(directory, signal),
        startEmulator(python, signal),
        runProgram(python, ['-B', join(import.meta.dirname, 'emulator', 'test_aws_names.py')], { signal }),
      ]);
      if (started.status === 'fulfilled') emulator = started.value;
      if (checked.status === 'rejected') throw checked.reason;
      if (started.status === 'rejected') throw started.reason;
      if (made.status === 'rejected') throw made.reason;
      return made.value;
    });
    const running = emulator as unknown as Emulator;
    const environment = environmentFor(running);
    calls = new AwsCalls(python, environment, running.endpoint);
    const made = calls;
    const cdk = new Cdk(environment, directory, signal);
    return await withClients(running, (clients) =>
      work({
        emulator: running,
        clients,
        calls: made,
        cdk,
        assemblies,
        phases,
        engine: `ministack ${version}`,
        signal,
      }),
    );
  } finally {
    await calls?.stop();
    await emulator?.stop();
    await rm(directory, { recursive: true, force: true });
  }
}

import type { SdkClient } from '../kernel/calls/sdk-client.ts';
import { SagaboxError } from '../kernel/errors/errors.ts';
import { type Environment, VARIABLE_PREFIX } from '../settings/setting.ts';
import {
  parameterNames,
  readSettingsReference,
  type SettingsReference,
} from '../settings/settings-reference.ts';
import { callLimits } from './clients.ts';
import { loadParameters, type ParameterRetries } from './parameters/parameters.ssm.ts';
import { loadSsmSdk } from './parameters/sdk.ssm.ts';
import type { RemainingMs } from './remaining-time.ts';
import { systemClock } from './system-clock.ts';

/** The loaded settings by path, for the life of the process. */
const loaded = new Map<string, string>();
/** The loads under way, by the paths that they load together. */
const loading = new Map<string, Promise<void>>();

/**
 * Loads the settings that the environment only refers to, once for the process and all at the same time.
 * Calls at the same time share a load; the next call repeats a failed one.
 *
 * @param remainingMs waits of a throttled load take at most half of it
 * @throws SagaboxError `SettingsNotLoaded`, and `Configuration` when the package is not installed
 */
export async function loadSettings(
  environment: Environment = process.env,
  remainingMs: RemainingMs = () => Number.POSITIVE_INFINITY,
): Promise<void> {
  const references = referencesIn(environment).filter(({ path }) => !loaded.has(path));
  if (references.length === 0) return;
  const paths = references.map(({ path }) => path).join();
  const load = loading.get(paths) ?? loadOnce(references, remainingMs).finally(() => loading.delete(paths));
  loading.set(paths, load);
  await load;
}

/** The environment with the settings that `loadSettings` has loaded in place of their references. */
export function loadedEnvironment(environment: Environment = process.env): Environment {
  const references = referencesIn(environment);
  if (references.length === 0) return environment;
  const settings = references.map(({ variable, path }) => [
    variable,
    loaded.get(path) ?? environment[variable],
  ]);
  return { ...environment, ...Object.fromEntries(settings) };
}

function referencesIn(environment: Environment) {
  return Object.keys(environment).flatMap((variable) => {
    const reference = variable.startsWith(VARIABLE_PREFIX) && readSettingsReference(environment[variable]);
    return reference ? [{ ...reference, variable }] : [];
  });
}

async function loadOnce(references: readonly SettingsReference[], remainingMs: RemainingMs): Promise<void> {
  const client = await makeClient();
  const keptMs = remainingMs() / 2;
  const retries: ParameterRetries = {
    sleep: systemClock.sleep,
    random: Math.random,
    mayWait: (delayMs) => remainingMs() - delayMs >= keptMs,
  };
  try {
    const values = await loadParameters(references.flatMap(parameterNames), client, retries);
    const settings = references.map((reference) => [reference.path, settingOf(reference, values)] as const);
    for (const [path, setting] of settings) loaded.set(path, setting);
  } finally {
    client.destroy();
  }
}

/** @throws SagaboxError `SettingsNotLoaded` for a value that is no JSON text: it is not kept */
function settingOf(reference: SettingsReference, values: ReadonlyMap<string, string>): string {
  const setting = parameterNames(reference)
    .map((name) => values.get(name))
    .join('');
  try {
    JSON.parse(setting);
  } catch (cause) {
    const detail = `its ${reference.count} parts together are no JSON text`;
    throw new SagaboxError('SettingsNotLoaded', { path: reference.path, detail }, { cause });
  }
  return setting;
}

/** Makes a client without retries: `loadParameters` retries, within the time of the invocation. */
async function makeClient(): Promise<SdkClient & { destroy(): void }> {
  return new (await loadSsmSdk()).SSMClient({ requestHandler: callLimits, maxAttempts: 1 });
}

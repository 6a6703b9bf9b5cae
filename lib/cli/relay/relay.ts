import { loadedEnvironment, loadSettings } from '../../compose/load-settings.ts';
import { configureRelay, type Relay } from '../../compose/relay/configure-relay.ts';
import { schedulerSetting } from '../../settings/sending.ts';
import type { Environment } from '../../settings/setting.ts';
import { type Clients, withClients } from '../clients.ts';
import {
  type CommandDefinition,
  type CommandIo,
  type CommandResult,
  RefusedInput,
  refusedConfiguration,
} from '../command.ts';
import { endpointEnvironment } from '../deployed/endpoint-environment.ts';
import { type RelayValues, relayOptions, relayOutboxOptions } from './options.ts';
import { linesOf, objectOf, problemOf } from './result.ts';
import { hasOtherKeys, runDry, runRelay } from './run.ts';

export const relayCommand: CommandDefinition<RelayValues> = {
  usage: '--endpoint <name> (--table <name> | --stack <name>) [options]',
  options: relayOptions,
  notes: `Each record is taken under a lease of five minutes, dispatched, then marked: two runs at once send no
message twice, and an interruption loses none. A record that an earlier run postponed is dispatched at
once. Messages that wait for a time need ${schedulerSetting.variable}.
Region and credentials come from the environment, as for every AWS tool.`,
  async run(values, io) {
    const environment = await endpointEnvironment(values);
    return await withClients((clients) => relayByCommand(values, clients, io, environment));
  },
};

export async function relayByCommand(
  values: RelayValues,
  clients: Clients,
  io: CommandIo,
  environment: Environment = process.env,
): Promise<CommandResult> {
  const relay = await configured(values, clients, environment);
  if (values.stack === undefined && (await hasOtherKeys(relay))) {
    const keys = '--partition-key, --sort-key';
    throw new RefusedInput([`${keys}: they are not the keys of the table '${values.table}'`]);
  }
  const result = values.dryRun ? await runDry(relay, io) : await runRelay(relay, io);
  const problem = problemOf(result);
  return {
    json: () => objectOf(result, relay.endpoint),
    lines: () => linesOf(result),
    failed: result.failed.length > 0 || problem !== undefined,
    problem,
  };
}

async function configured(values: RelayValues, clients: Clients, environment: Environment): Promise<Relay> {
  try {
    await loadSettings(environment);
    // Whoever runs it by hand has repaired something, and does not want to wait.
    const loaded = loadedEnvironment(environment);
    const options = { ...relayOutboxOptions(values, loaded), ...clients, includePostponed: true };
    return configureRelay(options, loaded);
  } catch (error) {
    return refusedConfiguration(error);
  }
}

import { randomUUID } from 'node:crypto';
import { sharedBatchers } from '../../adapters/dynamodb/calls/batchers.ts';
import { SharedSearch } from '../../adapters/dynamodb/relay/shared-search.ts';
import { searchByIndex } from '../../adapters/dynamodb/relay/undispatched-index.ts';
import {
  DynamoDBUndispatchedRecords,
  type UndispatchedSearch,
} from '../../adapters/dynamodb/relay/undispatched-records.ts';
import { searchByScan } from '../../adapters/dynamodb/relay/undispatched-scan.ts';
import { ANY_OUTBOX_PARTITION_PREFIX, outboxPartitionPrefix } from '../../core/storage/keys.ts';
import type { RelayPorts, RelaySettings } from '../../flow/relay/relay.ts';
import type { RelayedEndpoint } from '../../flow/relay/relay-endpoints.ts';
import { outboxOf } from '../aws-ports.ts';
import { defaultDynamoDBClient } from '../clients.ts';
import { configureFlow } from '../configure-flow.ts';
import { loadedEnvironment } from '../load-settings.ts';
import type { Environment } from '../settings.ts';
import type { RelayOutboxOptions } from './relay-options.ts';
import { relaySettings } from './relay-settings.ts';
import { type RelayedEndpointSettings, relayedEndpoints } from './relayed-endpoints.ts';

export type Relay = ReturnType<typeof configureRelay>;
export type Relays = ReturnType<typeof configureRelays>;

/** What a relay is made of, for one run. */
interface RelayRun {
  readonly endpoints: readonly RelayedEndpoint[];
  /** The search of all endpoints, if there is only one. */
  readonly shared: SharedSearch | undefined;
}

/**
 * The relay of one endpoint, on AWS.
 *
 * @returns `settings`: all but what belongs to one run
 * @throws SagaboxError `Configuration` for a setting that is missing or wrong
 */
export function configureRelay(options: RelayOutboxOptions, environment: Environment = loadedEnvironment()) {
  const { configured, settings } = configureRuns(options, environment);
  const { endpoint, outbox, search, portsWith } = configureEndpoint({ options, environment }, configured);
  return { endpoint, outbox, configured, ports: portsWith(search), settings };
}

/**
 * The relay of all endpoints that the options name, or the environment.
 *
 * @throws SagaboxError `Configuration` for a setting that is missing or wrong
 */
export function configureRelays(options: RelayOutboxOptions, environment: Environment = loadedEnvironment()) {
  const { configured, settings } = configureRuns(options, environment);
  const each = relayedEndpoints(options, environment).map((own) => configureEndpoint(own, configured));
  const names = each.map(({ endpoint }) => endpoint);
  const [first, ...others] = each;
  const newSharedSearch = () => {
    // Each endpoint has partitions of its own in the index; a scan reads those of all, also for one.
    if (first === undefined || others.length === 0 || configured.strategy === 'index') return undefined;
    const { partitionKeyName } = first.outbox.table;
    const search = first.scan(ANY_OUTBOX_PARTITION_PREFIX);
    return new SharedSearch({ search, endpoints: names, partitionKeyName });
  };
  const newRun = (): RelayRun => {
    const shared = newSharedSearch();
    const endpoints = each.map(({ endpoint, search, portsWith }) => ({
      endpoint,
      ports: portsWith(shared?.searchOf(endpoint) ?? search),
      hasLeftOver: () => shared?.hasLeftOver(endpoint) ?? false,
    }));
    return { endpoints, shared };
  };
  return { names, configured, settings, newRun };
}

function configureRuns(options: RelayOutboxOptions, environment: Environment) {
  const configured = relaySettings(options, environment);
  const settings: Omit<RelaySettings, 'signal' | 'onRecord'> = { ...configured, newLeaseOwner: randomUUID };
  return { configured, settings };
}

function configureEndpoint(
  { options, environment }: RelayedEndpointSettings,
  configured: ReturnType<typeof relaySettings>,
) {
  const { endpoint, ports } = configureFlow(options, environment);
  const { clock } = ports;
  const client = options.dynamoDBClient ?? defaultDynamoDBClient();
  const outbox = outboxOf(options, environment);
  const { reads } = sharedBatchers(client, clock);
  const random = Math.random;
  const scan = (partitionPrefix: string) =>
    searchByScan({ client, table: outbox.table, partitionPrefix, clock, random, ...configured });
  const search =
    configured.strategy === 'index'
      ? searchByIndex({ client, outbox, random })
      : scan(outboxPartitionPrefix(endpoint));
  const portsWith = (found: UndispatchedSearch): RelayPorts => ({
    ...ports,
    undispatched: new DynamoDBUndispatchedRecords({ client, outbox, search: found, reads }),
  });
  return { endpoint, outbox, scan, search, portsWith };
}

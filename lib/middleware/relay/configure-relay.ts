import { randomUUID } from 'node:crypto';
import { sharedBatchers } from '../../adapters/dynamodb/calls/batchers.ts';
import { searchEach } from '../../adapters/dynamodb/relay/search-each.ts';
import { SharedSearch } from '../../adapters/dynamodb/relay/shared-search.ts';
import { searchByIndex } from '../../adapters/dynamodb/relay/undispatched-index.ts';
import {
  DynamoDBUndispatchedRecords,
  type UndispatchedSearch,
} from '../../adapters/dynamodb/relay/undispatched-records.ts';
import { type ScannedTable, searchByScan } from '../../adapters/dynamodb/relay/undispatched-scan.ts';
import type { Table } from '../../adapters/dynamodb/table.ts';
import { environmentVariables } from '../../core/environment-variables.ts';
import type { RelayPorts, RelaySettings } from '../../flow/relay/relay.ts';
import type { RelayedEndpoint } from '../../flow/relay/relay-endpoints.ts';
import { embeddedSagasOf, outboxOf } from '../aws-ports.ts';
import { defaultDynamoDBClient } from '../clients.ts';
import { configureFlow } from '../configure-flow.ts';
import { loadedEnvironment } from '../load-settings.ts';
import { usesSagaRelayIndex } from '../sending-settings.ts';
import type { Environment } from '../settings.ts';
import { tableOf } from '../table-settings.ts';
import type { RelayOutboxOptions } from './relay-options.ts';
import { relaySettings } from './relay-settings.ts';
import { type RelayedEndpointSettings, relayedEndpoints } from './relayed-endpoints.ts';
import { scannedTables } from './scanned-tables.ts';

export type Relay = ReturnType<typeof configureRelay>;
export type Relays = ReturnType<typeof configureRelays>;

/** What a relay is made of, for one run. */
interface RelayRun {
  readonly endpoints: readonly RelayedEndpoint[];
  /** The scan for all endpoints, if it is for several. */
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
  const one = configureEndpoint({ options, environment }, configured);
  const { endpoint, outbox, portsWith } = one;
  const scanned = scannedTables([one], configured.strategy);
  const ports = portsWith(scanned.length > 0 ? one.scan(scanned, endpoint) : undefined);
  return { endpoint, outbox, configured, ports, settings };
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
  const scanned = scannedTables(each, configured.strategy);
  const [first, ...others] = each;
  const newSharedSearch = () => {
    // Each endpoint has partitions of its own in the index; a scan reads those of all, also for one.
    if (first === undefined || others.length === 0 || scanned.length === 0) return undefined;
    return new SharedSearch({ search: first.scan(scanned), endpoints: names });
  };
  const scanOf = ({ endpoint, scan }: (typeof each)[number]) =>
    scanned.length > 0 ? scan(scanned, endpoint) : undefined;
  const newRun = (): RelayRun => {
    const shared = newSharedSearch();
    const endpoints = each.map((one) => ({
      endpoint: one.endpoint,
      ports: one.portsWith(shared?.searchOf(one.endpoint) ?? scanOf(one)),
      hasLeftOver: () => shared?.hasLeftOver(one.endpoint) ?? false,
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
  const sagaTable = sagaTableOf(options, environment);
  const { reads } = sharedBatchers(client, clock);
  const random = Math.random;
  const isOfItsOwn = sagaTable !== undefined && sagaTable.tableName !== outbox.table.tableName;
  const searchesSagaIndex =
    isOfItsOwn && options.strategy !== 'scan' && usesSagaRelayIndex(options, environment);
  const indexed = [
    ...(configured.strategy === 'index' ? [outbox.table] : []),
    ...(searchesSagaIndex ? [sagaTable] : []),
  ];
  const byIndex = indexed.map((table) =>
    searchByIndex({ client, outbox: { table, endpoint }, reads, random }),
  );
  /** @param of whose records; those of all endpoints without it */
  const scan = (tables: readonly ScannedTable[], of?: string) =>
    searchEach(
      tables.map((table) => searchByScan({ client, ...table, endpoint: of, clock, random, ...configured })),
      random,
    );
  /** @param scanning of the tables that are scanned; what the index knows is found in a moment, and first */
  const portsWith = (scanning: UndispatchedSearch | undefined): RelayPorts => {
    const search = searchEach([...byIndex, ...(scanning ? [scanning] : [])]);
    return {
      ...ports,
      // Whether an item was in the index is not for the relay to know: what is not there is removed at no cost.
      embedded: embeddedSagasOf(sagaTable ?? outbox.table, options, environment, { indexed: true }),
      undispatched: new DynamoDBUndispatchedRecords({ client, outbox, sagaTable, search, reads }),
    };
  };
  return { endpoint, outbox, sagaTable, searchesSagaIndex, scan, portsWith };
}

/**
 * Undefined where none is configured: the outbox table may hold sagas with an embedded outbox, too. The variables of
 * an endpoint name its saga table whatever form its sagas have, and a scan would find nothing in one without them.
 */
function sagaTableOf(options: RelayOutboxOptions, environment: Environment): Table | undefined {
  const hasEmbedded = environment[environmentVariables.embeddedOutbox] === 'true';
  const stated = options.sagaTable?.tableName || (hasEmbedded && environment[environmentVariables.sagaTable]);
  return stated ? tableOf('sagaTable', options, environment) : undefined;
}

import { randomUUID } from 'node:crypto';
import type { Table } from '../../dynamodb/table-defaults.ts';
import { sharedBatchers } from '../../outbox/batchers.dynamodb.ts';
import type { RelayPorts, RelaySettings } from '../../relay/relay.ts';
import type { RelayedEndpoint } from '../../relay/relay-endpoints.ts';
import { searchEach } from '../../relay/search-each.dynamodb.ts';
import { SharedSearch } from '../../relay/shared-search.dynamodb.ts';
import {
  DynamoDBUndispatchedRecords,
  type UndispatchedSearch,
} from '../../relay/undispatched-records.dynamodb.ts';
import { type ScannedTable, searchByScan } from '../../relay/undispatched-scan.dynamodb.ts';
import { UnsentList } from '../../relay/unsent-list.dynamodb.ts';
import { embeddedOutboxSetting } from '../../settings/endpoint.ts';
import { relaySetting } from '../../settings/relay.ts';
import { decoded, type Environment } from '../../settings/setting.ts';
import { sagaTableSetting } from '../../settings/tables.ts';
import { outboxTableOf } from '../aws-ports.ts';
import { defaultDynamoDBClient, defaultLambdaClient } from '../clients.ts';
import { configureFlow } from '../configure-flow.ts';
import { embeddedSagasOf } from '../embedded-outbox/on-table.ts';
import { loadedEnvironment } from '../load-settings.ts';
import { systemClock } from '../system-clock.ts';
import { tableOf } from '../table-settings.ts';
import type { RelayOutboxOptions } from './relay-options.ts';
import { relaySettings } from './relay-settings.ts';
import type { RelayWatch } from './relay-watch.ts';
import { type RelayedEndpointSettings, relayedEndpoints } from './relayed-endpoints.ts';
import { scannedTables } from './scanned-tables.ts';

export type Relay = ReturnType<typeof configureRelay>;
export type Relays = ReturnType<typeof configureRelays>;

/** The endpoints of one run of a relay, and the scan that they share. */
interface RelayRun {
  readonly endpoints: readonly RelayedEndpoint[];
  /** The shared scan, if the relay scans for several endpoints. */
  readonly shared: SharedSearch | undefined;
}

/**
 * Configures the relay of one endpoint, on AWS.
 *
 * @returns `settings`: all settings but those of one run; `watch`: how unsent messages get on its list
 * @throws SagaboxError `Configuration` for a setting that is missing or wrong
 */
export function configureRelay(options: RelayOutboxOptions, environment: Environment = loadedEnvironment()) {
  const { configured, settings } = configureRuns(options, environment);
  const one = configureEndpoint({ options, environment }, configured);
  const { endpoint, outbox, portsWith } = one;
  const scans = configured.strategy === 'scan';
  const ports = portsWith(scans ? one.scan(scannedTables([one]), endpoint) : one.searchByList);
  const watch = watchOf(options, environment, [one]);
  return { endpoint, outbox, configured, ports, settings, watch };
}

/**
 * Configures the relay of all endpoints that the options name, or the environment.
 *
 * @throws SagaboxError `Configuration` for a setting that is missing or wrong
 */
export function configureRelays(options: RelayOutboxOptions, environment: Environment = loadedEnvironment()) {
  const { configured, settings } = configureRuns(options, environment);
  const each = relayedEndpoints(options, environment).map((own) => configureEndpoint(own, configured));
  const names = each.map(({ endpoint }) => endpoint);
  const scanned = scannedTables(each);
  const [first, ...others] = each;
  const newSharedSearch = () => {
    // Each endpoint has a list of its own; a scan reads the records of all, also for one.
    if (first === undefined || others.length === 0 || configured.strategy === 'stream') return undefined;
    return new SharedSearch({ search: first.scan(scanned), endpoints: names });
  };
  const searchOf = ({ endpoint, scan, searchByList }: (typeof each)[number], shared?: SharedSearch) =>
    configured.strategy === 'stream' ? searchByList : (shared?.searchOf(endpoint) ?? scan(scanned, endpoint));
  const newRun = (): RelayRun => {
    const shared = newSharedSearch();
    const endpoints = each.map((one) => ({
      endpoint: one.endpoint,
      ports: one.portsWith(searchOf(one, shared)),
      hasLeftOver: () => shared?.hasLeftOver(one.endpoint) ?? false,
    }));
    return { endpoints, shared };
  };
  const watch = watchOf(options, environment, each);
  return { names, configured, settings, newRun, watch };
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
  const outbox = outboxTableOf(options, environment);
  const sagaTable = sagaTableOf(options, environment);
  const { reads } = sharedBatchers(client, clock);
  const random = Math.random;
  const isShared = sagaTable === undefined || sagaTable.tableName === outbox.table.tableName;
  const tables = isShared ? [outbox.table] : [outbox.table, sagaTable];
  const searchByList = searchEach(
    tables.map((table) => {
      const list = new UnsentList({ client, table, endpoint });
      return (...terms: Parameters<UndispatchedSearch>) => list.find(...terms);
    }),
    random,
  );
  /** @param of the endpoint of the records; all endpoints if it is left out */
  const scan = (tables: readonly ScannedTable[], of?: string) =>
    searchEach(
      tables.map((table) => searchByScan({ client, ...table, endpoint: of, clock, random, ...configured })),
      random,
    );
  const portsWith = (search: UndispatchedSearch): RelayPorts => ({
    ...ports,
    embedded: embeddedSagasOf(sagaTable ?? outbox.table, options, environment),
    undispatched: new DynamoDBUndispatchedRecords({ client, outbox, sagaTable, search, reads }),
  });
  return { endpoint, outbox, sagaTable, tables, scan, searchByList, portsWith };
}

function watchOf(
  options: RelayOutboxOptions,
  environment: Environment,
  endpoints: RelayWatch['endpoints'],
): RelayWatch {
  const client = options.dynamoDBClient ?? defaultDynamoDBClient();
  const { reads } = sharedBatchers(client, systemClock);
  const lambdaClient = async () => options.lambdaClient ?? (await defaultLambdaClient());
  const { watched = [] } = decoded(relaySetting, environment) ?? {};
  return { client, reads, lambdaClient, watched, endpoints };
}

/**
 * The saga table to search; `undefined` if none is configured, as the outbox table may hold sagas with an
 * embedded outbox, too. The environment names a saga table whatever form its sagas have, and a scan of one
 * without embedded outboxes would find nothing.
 */
function sagaTableOf(options: RelayOutboxOptions, environment: Environment): Table | undefined {
  const { sagaTable: { tableName } = {} } = options;
  const isConfigured =
    tableName || (decoded(embeddedOutboxSetting, environment) && decoded(sagaTableSetting, environment));
  return isConfigured ? tableOf(sagaTableSetting, options, environment) : undefined;
}

import { Option } from 'commander';
import type { RelayOutboxOptions } from '../../compose/relay/relay-options.ts';
import { defaultDeduplicationPeriod } from '../../dynamodb/table-defaults.ts';
import { defined } from '../../kernel/defined.ts';
import type { Duration } from '../../kernel/duration.ts';
import { addressOf, type SizedAddress } from '../../messages/destinations/destination.ts';
import { type RelayStrategy, relayDefaults } from '../../relay/relay-defaults.ts';
import {
  deduplicationPeriodSetting,
  embeddedOutboxSetting,
  endpointSetting,
} from '../../settings/endpoint.ts';
import { relaySetting } from '../../settings/relay.ts';
import { destinationsSetting } from '../../settings/sending.ts';
import { decoded, type Environment } from '../../settings/setting.ts';
import { outboxTableSetting, sagaTableSetting } from '../../settings/tables.ts';
import { duration, formatDuration, jsonOption, refuse, stringOption, wholeNumber } from '../option-values.ts';
import { tableOption } from '../stored/table-option.ts';

type Addresses = Readonly<Record<string, string>>;

export interface RelayValues {
  readonly endpoint: string;
  readonly table?: string;
  readonly sagaTable?: string;
  readonly stack?: string;
  readonly destination?: Addresses;
  readonly strategy?: RelayStrategy;
  readonly olderThan?: Duration;
  readonly maxReadUnits?: number;
  readonly keep?: Duration;
  readonly partitionKey?: string;
  readonly sortKey?: string;
  readonly ttlAttribute?: string;
  readonly dryRun?: boolean;
}

export const relayOptions = [
  stringOption('--endpoint <name>', 'endpoint whose records are dispatched')
    .env(endpointSetting.variable)
    .makeOptionMandatory(),
  stringOption('--table <name>', "the endpoint's outbox table").env(outboxTableSetting.variable),
  stringOption(
    '--stack <name>',
    'in place of --table: stack with the endpoint, whose outputs hold the variables of its function',
  ).conflicts(['table', 'keep', 'partitionKey', 'sortKey', 'ttlAttribute']),
  stringOption(
    '--saga-table <name>',
    `search this saga table too, for what sagas with an embedded outbox left to be sent (default: that of ${sagaTableSetting.variable} if ${embeddedOutboxSetting.variable} is true)`,
  ),
  new Option(
    '--destination <name=address>',
    'where messages to name go: a queue URL, or the ARN of an SNS topic or an event bus; may be repeated, ' +
      `and overrides ${destinationsSetting.variable}`,
  ).argParser(addDestination),
  new Option(
    '--strategy <strategy>',
    'find records on the list that the watcher of the stream keeps in each table, or by scanning the tables ' +
      `(default: that of ${relaySetting.variable}, else scan)`,
  ).choices(['stream', 'scan'] satisfies RelayStrategy[]),
  new Option(
    '--older-than <duration>',
    `only records stored that long ago, such as 90s, 30m, 12h, 7d (default: ${formatDuration(relayDefaults.olderThan)})`,
  ).argParser(duration),
  new Option(
    '--max-read-units <n>',
    `read units per second that a scan consumes at most (default: ${relayDefaults.maxReadUnitsPerSecond})`,
  ).argParser(wholeNumber),
  new Option(
    '--keep <duration>',
    "the endpoint's deduplication period (default: " +
      `${deduplicationPeriodSetting.variable}, else ${defaultDeduplicationPeriod.days}d)`,
  ).argParser(duration),
  stringOption('--partition-key <name>', "the table's partition key (default: PK)"),
  stringOption('--sort-key <name>', "the table's sort key (default: SK)"),
  stringOption('--ttl-attribute <name>', "the table's time to live attribute (default: ExpiresAt)"),
  new Option('--dry-run', 'list what would be dispatched, and dispatch nothing'),
  jsonOption,
];

/** Checked as the options of a handler are. @throws SagaboxError `Configuration` */
export function relayOutboxOptions(values: RelayValues, environment: Environment): RelayOutboxOptions {
  return defined({
    endpoint: values.endpoint,
    outboxTable: tableOf(outboxTableSetting, values.table, values),
    sagaTable: tableOf(sagaTableSetting, values.sagaTable, values),
    destinations: values.destination && { ...destinationsOf(environment), ...values.destination },
    strategy: values.strategy,
    maxReadUnitsPerSecond: values.maxReadUnits,
    olderThan: values.olderThan,
    deduplicationPeriod: values.keep,
  });
}

function tableOf(
  setting: typeof outboxTableSetting,
  table: string | undefined,
  { partitionKey, sortKey, ttlAttribute }: RelayValues,
) {
  if (table === undefined) return undefined;
  const names = {
    partitionKeyName: partitionKey,
    sortKeyName: sortKey,
    timeToLiveAttributeName: ttlAttribute,
  };
  return { ...tableOption(setting, table), ...defined(names) };
}

function destinationsOf(environment: Environment): object {
  return Object.fromEntries(
    [...(decoded(destinationsSetting, environment) ?? [])].map(([name, destination]) => {
      const { maxMessageSizeBytes } = destination as Partial<SizedAddress>;
      const address = addressOf(destination);
      return [name, maxMessageSizeBytes === undefined ? address : { address, maxMessageSizeBytes }];
    }),
  );
}

function addDestination(pair: string, others: Addresses = {}): Addresses {
  const [, name, address] = /^([^=]+)=(.+)$/.exec(pair) ?? [];
  return name === undefined || address === undefined
    ? refuse('name=address')
    : { ...others, [name]: address };
}

import type { Table } from '../dynamodb/table-defaults.ts';
import { configurationError } from '../kernel/errors/errors.ts';
import { isJsonObject } from '../kernel/values/value-kind.ts';
import type { RelayStrategy } from '../relay/relay-defaults.ts';
import { asText, parseJson, type Setting } from './setting.ts';
import { decodeTableReference, type TableReference } from './tables.ts';

/** A table whose stream is read, and the id of the event source mapping that reads it. */
export interface MappedTable<Reference = Table> {
  readonly table: Reference;
  readonly mapping: string;
}

interface RelayConfigurationOf<Amount, Reference> {
  readonly olderThanSeconds?: Amount;
  readonly strategy?: RelayStrategy;
  readonly maxReadUnitsPerSecond?: Amount;
  /** The names of the endpoints that the relay serves. */
  readonly endpoints?: readonly string[];
  /** The tables whose streams are read. */
  readonly watched?: readonly MappedTable<Reference>[];
  /** The variables that differ from the relay's own, by endpoint and name; JSON values are not strings. */
  readonly exceptions?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export type RelayConfiguration = RelayConfigurationOf<number, Table>;

/** A relay as the constructs write it: a number that is known only at deployment is a string. */
export type WrittenRelay = RelayConfigurationOf<number | string, TableReference>;

/**
 * The relay of an `OutboxRelay`, as a JSON object; its keys are below.
 *
 * @default - the options of `relayOutbox` say all
 */
export const relaySetting: Setting<RelayConfiguration, WrittenRelay> = {
  variable: 'SAGABOX_RELAY',
  decode: (text) => {
    const { variable } = relaySetting;
    const remedy =
      'Set it to { olderThanSeconds, strategy, maxReadUnitsPerSecond, endpoints, watched, exceptions }, as the construct does';
    const refusal = (problem: string) => configurationError(variable, problem, remedy);
    const relay = parseJson(variable, text, remedy) ?? {};
    if (!isJsonObject(relay)) throw refusal('it is not an object');
    const { olderThanSeconds, maxReadUnitsPerSecond, endpoints, watched, exceptions = {} } = relay;
    if (endpoints !== undefined && !Array.isArray(endpoints)) throw refusal('its endpoints are no array');
    if (watched !== undefined && !Array.isArray(watched)) throw refusal('what is watched is no array');
    if (!isJsonObject(exceptions) || !Object.values(exceptions).every(isJsonObject)) {
      throw refusal('its exceptions are no variables by endpoint');
    }
    return {
      ...relay,
      ...(olderThanSeconds !== undefined && { olderThanSeconds: Number(olderThanSeconds) }),
      ...(maxReadUnitsPerSecond !== undefined && { maxReadUnitsPerSecond: Number(maxReadUnitsPerSecond) }),
      ...(watched !== undefined && {
        watched: watched.map((each, index) => decodeMappedTable(each, `${variable}: watched[${index}]`)),
      }),
    };
  },
};

function decodeMappedTable(each: unknown, setting: string): MappedTable {
  if (!isJsonObject(each) || typeof each.mapping !== 'string')
    throw configurationError(setting, 'it has no table and mapping', 'Set both, as the construct does');
  return { table: decodeTableReference(each.table, setting), mapping: each.mapping };
}

/** The variables of an endpoint that differ from the relay's own. */
export function variablesOfEndpoint(
  { exceptions = {} }: RelayConfiguration,
  endpoint: string,
): Record<string, string> {
  const own = Object.hasOwn(exceptions, endpoint) ? Object.entries(exceptions[endpoint] ?? {}) : [];
  return Object.fromEntries(own.map(([variable, value]) => [variable, asText(value)]));
}

interface WatcherConfigurationOf<Reference> {
  readonly tables: readonly Reference[];
  /** The names of the endpoints whose unsent messages are listed. @default - all */
  readonly endpoints?: readonly string[];
}

export type WatcherConfiguration = WatcherConfigurationOf<Table>;

/**
 * The watcher of an `OutboxRelay`, as a JSON object; its keys are below.
 *
 * @default - the options of `watchOutbox` say all
 */
export const watcherSetting: Setting<WatcherConfiguration, WatcherConfigurationOf<TableReference>> = {
  variable: 'SAGABOX_WATCHER',
  decode: (text) => {
    const { variable } = watcherSetting;
    const remedy = 'Set it to { tables, endpoints }, as the construct does';
    const watcher = parseJson(variable, text, remedy) ?? {};
    if (!isJsonObject(watcher)) throw configurationError(variable, 'it is not an object', remedy);
    const { tables = [], endpoints } = watcher;
    if (!Array.isArray(tables)) throw configurationError(variable, 'its tables are no array', remedy);
    if (endpoints !== undefined && !Array.isArray(endpoints))
      throw configurationError(variable, 'its endpoints are no array', remedy);
    return {
      tables: tables.map((table, index) => decodeTableReference(table, `${variable}: tables[${index}]`)),
      ...(endpoints !== undefined && { endpoints }),
    };
  },
};

import type { Table } from '../../adapters/dynamodb/table.ts';
import { parseJsonSetting } from '../../core/checks/json-setting.ts';
import { isJsonObject } from '../../core/checks/value-kind.ts';
import { environmentVariables } from '../../core/environment-variables.ts';
import { configurationError } from '../../core/failures/errors.ts';
import { assertKeyName } from '../../core/storage/keys.ts';
import { tableDefaults } from '../../core/storage/table-defaults.ts';
import type { Environment } from '../settings.ts';
import { tableReferredTo } from './mapped-tables.ts';
import type { WatchOutboxOptions } from './watch-options.ts';

export interface WatcherSettings {
  readonly tables: readonly Table[];
  /** The endpoints whose unsent messages are listed. @default - all */
  readonly endpoints: ReadonlySet<string> | undefined;
}

const variable = environmentVariables.watcher;
const remedy = 'Set it to { tables, endpoints }, as the construct does';

/** @throws SagaboxError `Configuration` */
export function watcherSettings(
  options: Pick<WatchOutboxOptions, 'tables' | 'endpoints'>,
  environment: Environment,
): WatcherSettings {
  const stated = parseJsonSetting(variable, environment[variable], remedy) ?? {};
  if (!isJsonObject(stated)) throw configurationError(variable, 'it is not an object', remedy);
  const { tables = [], endpoints } = stated;
  if (!Array.isArray(tables)) throw configurationError(variable, 'its tables are no array', remedy);
  if (endpoints !== undefined && !Array.isArray(endpoints))
    throw configurationError(variable, 'its endpoints are no array', remedy);
  const names: readonly unknown[] | undefined = options.endpoints ?? endpoints;
  return {
    tables:
      options.tables?.map((table) => ({ ...tableDefaults, ...table })) ??
      tables.map((table, index) => tableReferredTo(table, `${variable}: tables[${index}]`)),
    endpoints: names && new Set(names.map(keyName)),
  };
}

function keyName(name: unknown): string {
  assertKeyName('endpoints of the watcher', name);
  return name;
}

import { storedAttributes } from '../dynamodb/stored-attributes.ts';
import { type Table, tableDefaults } from '../dynamodb/table-defaults.ts';
import { configurationError } from '../kernel/errors/errors.ts';
import { decoded, type Environment } from '../settings/setting.ts';
import type { TableSetting } from '../settings/tables.ts';
import type { EndpointOptions } from './options.ts';
import { missing } from './settings.ts';

/** A table. An option with a table name stands alone, as the environment may describe another table. */
export function tableOf(setting: TableSetting, options: EndpointOptions, environment: Environment): Table {
  const { option } = setting;
  const given = options[option];
  const configured = given?.tableName ? given : { ...decoded(setting, environment), ...given };
  const { tableName } = configured;
  if (!tableName) throw missing(setting, 'a table made by the constructs');
  const table = { ...tableDefaults, ...configured, tableName };
  assertAttributeNames(option, table);
  return table;
}

export function assertAttributeNames(option: string, { tableName: _tableName, ...attributes }: Table): void {
  const names = Object.values(attributes);
  for (const [setting, name] of Object.entries(attributes)) {
    const isStored = storedAttributes.has(name);
    if (!isStored && names.indexOf(name) === names.lastIndexOf(name)) continue;
    throw configurationError(
      `${option}: ${setting}`,
      isStored
        ? `sagabox stores something else in the attribute '${name}'`
        : `'${name}' names two attributes`,
      'Use a table whose key and time to live attributes have names of their own',
    );
  }
}

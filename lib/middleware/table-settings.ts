import type { Table, TableConfiguration } from '../adapters/dynamodb/table.ts';
import { parseJsonSetting } from '../core/checks/json-setting.ts';
import { environmentVariables } from '../core/environment-variables.ts';
import { configurationError } from '../core/failures/errors.ts';
import { storedAttributes } from '../core/storage/stored-attributes.ts';
import { tableDefaults } from '../core/storage/table-defaults.ts';
import type { EndpointOptions } from './options.ts';
import { type Environment, missing } from './settings.ts';

/** A table. An option with a table name stands alone, as the environment may describe another table. */
export function tableOf(
  option: 'sagaTable' | 'outboxTable',
  options: EndpointOptions,
  environment: Environment,
): Table {
  const variable = environmentVariables[option];
  const configured = options[option];
  const stated = configured?.tableName
    ? configured
    : { ...statedTable(variable, environment), ...configured };
  const { tableName } = stated;
  if (!tableName) throw missing(option, variable, 'a table made by the constructs');
  const table = { ...tableDefaults, ...stated, tableName };
  assertAttributeNames(option, table);
  return table;
}

/**
 * The value that the constructs write into the variable of a table: its name or ARN, or a JSON object that
 * also has the names of its keys and of its time to live attribute, where they are not the default ones.
 *
 * @throws SagaboxError `Configuration`
 */
export function statedTable(variable: string, environment: Environment): Partial<TableConfiguration> {
  const value = environment[variable];
  if (!value?.startsWith('{')) return value ? { tableName: value } : {};
  const remedy = 'Set it to the name of a table, or to an object as the constructs write it';
  const stated = parseJsonSetting(variable, value, remedy) as Record<string, unknown>;
  for (const [setting, name] of Object.entries(stated)) {
    const isKnown = setting === 'tableName' || Object.hasOwn(tableDefaults, setting);
    if (isKnown && typeof name === 'string' && name !== '') continue;
    const problem = isKnown ? 'it is not a name' : 'a table has no such setting';
    throw configurationError(`${variable}: ${setting}`, problem, remedy);
  }
  return stated;
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

import { type Table, type TableConfiguration, tableDefaults } from '../dynamodb/table-defaults.ts';
import { configurationError } from '../kernel/errors/errors.ts';
import { asText, parseJson, type Setting } from './setting.ts';

/**
 * A table as the constructs write it: its name or ARN, or an object that also has the names of its keys and of its time
 * to live attribute, where they are not the default ones.
 */
export type TableReference = string | Readonly<TableConfiguration>;

export interface TableSetting extends Setting<Partial<TableConfiguration>, TableReference> {
  readonly option: 'sagaTable' | 'outboxTable';
}

/**
 * The table of the sagas, by its name or ARN, or as a JSON object like the option `sagaTable`.
 *
 * @default - a function with a saga needs it
 */
export const sagaTableSetting: TableSetting = {
  option: 'sagaTable',
  variable: 'SAGABOX_SAGA_TABLE',
  decode: (text) => decodeTable(sagaTableSetting.variable, text),
};

/**
 * The table of the outbox records, by its name or ARN, or as a JSON object like the option `outboxTable`. It can be
 * the saga table.
 *
 * @default - a function with an outbox needs it
 */
export const outboxTableSetting: TableSetting = {
  option: 'outboxTable',
  variable: 'SAGABOX_OUTBOX_TABLE',
  decode: (text) => decodeTable(outboxTableSetting.variable, text),
};

/**
 * A table that another setting refers to.
 *
 * @param setting the place of the reference, for the error
 * @throws SagaboxError `Configuration`
 */
export function decodeTableReference(reference: unknown, setting: string): Table {
  const { tableName, ...names } = decodeTable(setting, asText(reference) ?? '') ?? {};
  if (tableName === undefined)
    throw configurationError(setting, 'it names no table', 'Set it to the name or ARN of a table');
  return { ...tableDefaults, ...names, tableName };
}

function decodeTable(setting: string, text: string): Partial<TableConfiguration> | undefined {
  if (!text.startsWith('{')) return text === '' ? undefined : { tableName: text };
  const remedy = 'Set it to the name of a table, or to an object as the constructs write it';
  const table = parseJson(setting, text, remedy) as Record<string, unknown>;
  for (const [property, name] of Object.entries(table)) {
    const isKnown = property === 'tableName' || Object.hasOwn(tableDefaults, property);
    if (isKnown && typeof name === 'string' && name !== '') continue;
    const problem = isKnown ? 'it is not a name' : 'a table has no such setting';
    throw configurationError(`${setting}: ${property}`, problem, remedy);
  }
  return table;
}

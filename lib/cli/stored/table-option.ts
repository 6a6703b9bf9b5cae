import type { TableConfiguration } from '../../dynamodb/table-defaults.ts';
import type { Setting } from '../../settings/setting.ts';

/** The table of an option that its variable may fill in: the variable may hold the names of its keys, too. */
export function tableOption(
  { decode }: Setting<Partial<TableConfiguration>, never>,
  value: string,
): TableConfiguration {
  return { tableName: value, ...decode(value, {}) };
}

import { statedTable } from '../../middleware/table-settings.ts';

/** The variable of a table, which an option overrides, may hold the names of its keys too. */
export function tableStatedBy(variable: string, table: string) {
  return { tableName: table, ...statedTable(variable, { [variable]: table }) };
}

type Given<T> = { [Name in keyof T]: Exclude<T[Name], undefined> };

/** What the command line does not say is left to what is configured. */
export function given<T extends object>(options: T): Given<T> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Given<T>;
}

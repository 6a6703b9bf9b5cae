import type { Table } from '../../adapters/dynamodb/table.ts';
import { isJsonObject } from '../../core/checks/value-kind.ts';
import { environmentVariables } from '../../core/environment-variables.ts';
import { configurationError } from '../../core/failures/errors.ts';
import { tableDefaults } from '../../core/storage/table-defaults.ts';
import { statedTable } from '../table-settings.ts';
import type { StatedRelay } from './stated-relay.ts';

/** A table whose stream is read, and the id of the event source mapping that reads it. */
export interface MappedTable {
  readonly table: Table;
  readonly mapping: string;
}

/** @throws SagaboxError `Configuration` */
export function mappedTables({ watched = [] }: StatedRelay): MappedTable[] {
  return watched.map((each, index) => {
    const setting = `${environmentVariables.relay}: watched[${index}]`;
    if (!isJsonObject(each) || typeof each.mapping !== 'string')
      throw configurationError(setting, 'it has no table and mapping', 'Set both, as the construct does');
    return { table: tableReferredTo(each.table, setting), mapping: each.mapping };
  });
}

/**
 * A table as the constructs refer to it: by its name or ARN, or with the names of its attributes.
 *
 * @throws SagaboxError `Configuration`
 */
export function tableReferredTo(reference: unknown, setting: string): Table {
  const text = typeof reference === 'string' ? reference : JSON.stringify(reference);
  const { tableName, ...names } = statedTable(setting, { [setting]: text });
  if (tableName === undefined)
    throw configurationError(setting, 'it names no table', 'Set it to the name or ARN of a table');
  return { ...tableDefaults, ...names, tableName };
}

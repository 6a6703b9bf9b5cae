import type { Table } from '../../dynamodb/table-defaults.ts';
import type { ScannedTable } from '../../relay/undispatched-scan.dynamodb.ts';

/** The tables in which a relay looks for unsent messages of an endpoint. */
export interface EndpointTables {
  readonly outbox: { readonly table: Table };
  /** The table of sagas with an embedded outbox. @default - they are in the outbox table, if there are any */
  readonly sagaTable: Table | undefined;
}

/** The tables that a relay scans, each once. */
export function scannedTables(endpoints: readonly EndpointTables[]): readonly ScannedTable[] {
  const tables = new Map<string, ScannedTable>();
  for (const { outbox, sagaTable } of endpoints) {
    const { table } = outbox;
    tables.set(table.tableName, { table, records: true, entries: true });
    if (sagaTable === undefined || sagaTable.tableName === table.tableName) continue;
    const known = tables.get(sagaTable.tableName) ?? { table: sagaTable, records: false, entries: true };
    tables.set(sagaTable.tableName, known);
  }
  return [...tables.values()];
}

import type { AnyTable } from '../construct-types.ts';
import type { MessageEndpoint } from '../endpoint/message-endpoint.ts';
import { isSameTable } from '../tables/same-table.ts';
import { TableBase } from '../tables/table-base.ts';
import { isTableInPlaceOf } from '../tables/table-place.ts';
import type { WatchedTable } from './table-alarm-rows.ts';

export interface EndpointTable extends WatchedTable {
  /** Stands in construct ids and names of alarms. */
  readonly role: 'SagaTable' | 'OutboxTable' | 'SharedTable';
}

/**
 * The tables of an endpoint in its account, each once. What is planned is known of a `SagaTable` and an
 * `OutboxTable` only.
 */
export function watchedTables(endpoint: MessageEndpoint): EndpointTable[] {
  const [sagaTable, outboxTable] = [endpoint.sagaTable, endpoint.outboxTable].map((table) =>
    table !== undefined && isTableInPlaceOf(endpoint, table) ? table : undefined,
  );
  if (isSameTable(sagaTable, outboxTable)) return endpointTable(outboxTable, 'SharedTable');
  return [...endpointTable(sagaTable, 'SagaTable'), ...endpointTable(outboxTable, 'OutboxTable')];
}

function endpointTable(table: AnyTable | undefined, role: EndpointTable['role']): EndpointTable[] {
  if (table === undefined) return [];
  const unknownUnits = { read: undefined, write: undefined };
  return [{ role, table, plannedUnits: table instanceof TableBase ? table.plannedUnits : unknownUnits }];
}

import type { AnyTable } from '../any-resource.ts';
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
  const { hasRelayIndex, hasSagaRelayIndex } = endpoint;
  const [sagaTable, outboxTable] = [endpoint.sagaTable, endpoint.outboxTable].map((table) =>
    table !== undefined && isTableInPlaceOf(endpoint, table) ? table : undefined,
  );
  if (isSameTable(sagaTable, outboxTable)) return endpointTable(outboxTable, 'SharedTable', hasRelayIndex);
  return [
    ...endpointTable(sagaTable, 'SagaTable', hasSagaRelayIndex),
    ...endpointTable(outboxTable, 'OutboxTable', hasRelayIndex),
  ];
}

function endpointTable(
  table: AnyTable | undefined,
  role: EndpointTable['role'],
  hasRelayIndex: boolean,
): EndpointTable[] {
  if (table === undefined) return [];
  if (table instanceof TableBase) {
    return [{ role, table, hasRelayIndex: table.hasRelayIndex, plannedUnits: table.plannedUnits }];
  }
  return [{ role, table, hasRelayIndex, plannedUnits: { read: undefined, write: undefined } }];
}

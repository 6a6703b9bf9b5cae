import type { IConstruct } from 'constructs';
import type { AnyTable } from '../construct-types.ts';
import { isSameTable } from '../tables/same-table.ts';

/** An endpoint; one that only sends has no sagas. */
interface Endpoint extends IConstruct {
  readonly embeddedOutbox?: boolean;
  readonly sagaTable?: AnyTable | undefined;
}

/** The table of its sagas, if they have an embedded outbox. */
export function embeddedTableOf({ embeddedOutbox, sagaTable }: Endpoint): AnyTable | undefined {
  return embeddedOutbox ? sagaTable : undefined;
}

/** The tables of sagas with an embedded outbox, each once, with the endpoints whose sagas are there. */
export function embeddedTables<E extends Endpoint>(
  endpoints: readonly E[],
): { readonly table: AnyTable; readonly endpoints: readonly E[] }[] {
  const found: { readonly table: AnyTable; readonly endpoints: E[] }[] = [];
  for (const endpoint of endpoints) {
    const table = embeddedTableOf(endpoint);
    if (table === undefined) continue;
    const known = found.find((other) => isSameTable(other.table, table));
    if (known === undefined) found.push({ table, endpoints: [endpoint] });
    else known.endpoints.push(endpoint);
  }
  return found;
}

/** The tables that a relay of these endpoints searches, each once: their outbox table first, then those of sagas. */
export function searchedTables(
  endpoints: readonly (Endpoint & { readonly outboxTable: AnyTable | undefined })[],
): AnyTable[] {
  const [outboxTable] = endpoints.flatMap((endpoint) => endpoint.outboxTable ?? []);
  const ofSagas = embeddedTables(endpoints).map(({ table }) => table);
  return [
    ...(outboxTable ? [outboxTable] : []),
    ...ofSagas.filter((table) => !isSameTable(table, outboxTable)),
  ];
}

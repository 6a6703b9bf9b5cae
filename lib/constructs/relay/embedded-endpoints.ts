import type { IConstruct } from 'constructs';
import type { RelayStrategy } from '../../core/outbox/relay-defaults.ts';
import type { AnyTable } from '../any-resource.ts';
import { isCertainlySameTable, isSameTable } from '../tables/same-table.ts';

/** An endpoint; one that only sends has no sagas. */
interface Endpoint extends IConstruct {
  readonly embeddedOutbox?: boolean;
  readonly sagaTable?: AnyTable | undefined;
  readonly hasSagaRelayIndex?: boolean;
}

/** How a relay searches. */
export interface RelaySearch {
  /** The outbox table, if its index is used. */
  readonly indexed: AnyTable | undefined;
  /** Whether it reads whole tables, whatever indexes they have. */
  readonly scansAll: boolean;
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

/** Whether the index of a table of its own tells what the sagas of the endpoint left to be sent. */
export function searchesSagaIndex(
  { hasSagaRelayIndex = false }: Endpoint,
  { scansAll }: Pick<RelaySearch, 'scansAll'>,
): boolean {
  return hasSagaRelayIndex && !scansAll;
}

/** How a relay searches the table of sagas of these endpoints; in no way where the index of the outbox table has them. */
export function entryStrategies(
  table: AnyTable,
  endpoints: readonly Endpoint[],
  search: RelaySearch,
): readonly RelayStrategy[] {
  if (isCertainlySameTable(table, search.indexed)) return [];
  const each = endpoints.map((endpoint) => (searchesSagaIndex(endpoint, search) ? 'index' : 'scan'));
  return [...new Set(each)];
}

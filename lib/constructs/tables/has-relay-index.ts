import type { AnyTable } from './any-table.ts';
import { MessagingTable } from './messaging-table.ts';

/**
 * Whether the table says that it has the index; of one that is no `SagaTable` or `OutboxTable` it is not
 * known.
 */
export function hasRelayIndex(table: AnyTable | undefined): boolean {
  return table instanceof MessagingTable && table.hasRelayIndex;
}

import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { RelayStrategy } from '../../core/outbox/relay-defaults.ts';
import { relayIndex } from '../../core/storage/relay-index.ts';
import type { AnyTable } from '../any-resource.ts';
import type { Conditions } from '../tables/leading-keys.ts';
import { isCertainlySameTable } from '../tables/same-table.ts';
import { grantOperations } from '../tables/table-access.ts';
import { reachableTable } from '../tables/table-place.ts';

/**
 * UpdateItem leases records, BatchGetItem reads them, Query reads the chunks of a large one, BatchWriteItem
 * marks it and deletes them.
 */
const recordOperations = ['BatchGetItem', 'BatchWriteItem', 'Query', 'UpdateItem'];

/**
 * UpdateItem leases entries and marks them, a BatchExecuteStatement marks those of several sagas, BatchGetItem reads
 * them.
 */
const entryOperations = ['BatchGetItem', 'PartiQLUpdate', 'UpdateItem'];

/**
 * Allows to find the undispatched records of this table by the strategy, and to work on them, and nothing
 * else.
 *
 * @param conditions on the records. They are never those of a Scan, which names no keys, nor of the index,
 *   which has others
 */
export function grantOutboxRelay(
  table: AnyTable,
  grantee: IGrantable,
  strategy: RelayStrategy,
  conditions: Conditions = {},
): Grant {
  if (strategy === 'scan') return grantScan(table, grantee, recordOperations, conditions);
  const index = `${reachableTable(table)}/index/${relayIndex.indexName}`;
  return grantOperations(table, grantee, recordOperations, conditions).combine(
    Grant.addToPrincipal({ grantee, actions: ['dynamodb:Query'], resourceArns: [index] }),
  );
}

/**
 * Allows the same of what is undispatched in the items of sagas with an embedded outbox. Only the index of the outbox
 * table has them, where it is their table too.
 *
 * @param indexed the outbox table, if its index is used
 */
export function grantEmbeddedRelay(
  table: AnyTable,
  grantee: IGrantable,
  indexed: AnyTable | undefined,
  conditions: Conditions = {},
): Grant {
  return isCertainlySameTable(table, indexed)
    ? grantOperations(table, grantee, entryOperations, conditions)
    : grantScan(table, grantee, entryOperations, conditions);
}

/** With what is done to what is found. */
function grantScan(
  table: AnyTable,
  grantee: IGrantable,
  operations: readonly string[],
  conditions: Conditions,
): Grant {
  if (Object.keys(conditions).length === 0) return grantOperations(table, grantee, [...operations, 'Scan']);
  return grantOperations(table, grantee, operations, conditions).combine(
    grantOperations(table, grantee, ['Scan']),
  );
}

import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { RelayStrategy } from '../../core/outbox/relay-defaults.ts';
import { relayIndex } from '../../core/storage/relay-index.ts';
import type { AnyTable } from '../any-resource.ts';
import type { Conditions } from '../tables/leading-keys.ts';
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
  return grantSearch(table, grantee, [strategy], recordOperations, conditions);
}

/**
 * Allows the same of what is undispatched in the items of sagas with an embedded outbox.
 *
 * @param strategies none if what is allowed for the records finds them, too
 */
export function grantEmbeddedRelay(
  table: AnyTable,
  grantee: IGrantable,
  strategies: readonly RelayStrategy[],
  conditions: Conditions = {},
): Grant {
  return grantSearch(table, grantee, strategies, entryOperations, conditions);
}

/** With what is done to what is found. */
function grantSearch(
  table: AnyTable,
  grantee: IGrantable,
  strategies: readonly RelayStrategy[],
  operations: readonly string[],
  conditions: Conditions,
): Grant {
  const scan = strategies.includes('scan') ? ['Scan'] : [];
  const isOneStatement = Object.keys(conditions).length === 0;
  const grant = grantOperations(
    table,
    grantee,
    isOneStatement ? [...operations, ...scan] : operations,
    conditions,
  );
  const grants = isOneStatement || scan.length === 0 ? [] : [grantOperations(table, grantee, scan)];
  if (strategies.includes('index')) {
    const resourceArns = [`${reachableTable(table)}/index/${relayIndex.indexName}`];
    grants.push(Grant.addToPrincipal({ grantee, actions: ['dynamodb:Query'], resourceArns }));
  }
  return grants.reduce((all, one) => all.combine(one), grant);
}

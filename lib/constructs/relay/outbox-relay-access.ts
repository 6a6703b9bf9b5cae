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
  if (strategy === 'scan' && Object.keys(conditions).length === 0) {
    return grantOperations(table, grantee, [...recordOperations, 'Scan'].sort());
  }
  const records = grantOperations(table, grantee, recordOperations, conditions);
  if (strategy === 'scan') return records.combine(grantOperations(table, grantee, ['Scan']));
  const index = `${reachableTable(table)}/index/${relayIndex.indexName}`;
  return records.combine(
    Grant.addToPrincipal({ grantee, actions: ['dynamodb:Query'], resourceArns: [index] }),
  );
}

import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { RelayStrategy } from '../../core/outbox/relay-defaults.ts';
import { relayIndex } from '../../core/storage/relay-index.ts';
import type { AnyTable } from '../any-resource.ts';
import { grantOperations } from '../tables/table-access.ts';

/**
 * UpdateItem leases records, BatchGetItem reads them, Query reads the chunks of a large one, BatchWriteItem
 * marks it and deletes them.
 */
const recordOperations = ['BatchGetItem', 'BatchWriteItem', 'Query', 'UpdateItem'];

/**
 * Allows to find the undispatched records of this table by the strategy, and to work on them, and nothing
 * else.
 */
export function grantOutboxRelay(table: AnyTable, grantee: IGrantable, strategy: RelayStrategy): Grant {
  if (strategy === 'scan') return grantOperations(table, grantee, [...recordOperations, 'Scan'].sort());
  const records = grantOperations(table, grantee, recordOperations);
  const index = Grant.addToPrincipal({
    grantee,
    actions: ['dynamodb:Query'],
    resourceArns: [`${table.tableArn}/index/${relayIndex.indexName}`],
  });
  return records.combine(index);
}

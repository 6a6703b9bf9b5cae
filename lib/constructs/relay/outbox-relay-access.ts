import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { RelayStrategy } from '../../core/outbox/relay-defaults.ts';
import { relayIndex } from '../../core/storage/relay-index.ts';
import type { AnyTable } from '../any-resource.ts';

/**
 * UpdateItem leases records, BatchGetItem reads them, Query reads the chunks of a large one, BatchWriteItem
 * marks it and deletes them.
 */
const recordActions = [
  'dynamodb:BatchGetItem',
  'dynamodb:BatchWriteItem',
  'dynamodb:Query',
  'dynamodb:UpdateItem',
];

/**
 * Allows to find the undispatched records of this table by the strategy, and to work on them, and nothing
 * else.
 */
export function grantOutboxRelay(table: AnyTable, grantee: IGrantable, strategy: RelayStrategy): Grant {
  table.encryptionKey?.grantEncryptDecrypt(grantee);
  const actions = strategy === 'scan' ? [...recordActions, 'dynamodb:Scan'].sort() : recordActions;
  const records = Grant.addToPrincipal({ grantee, actions, resourceArns: [table.tableArn] });
  if (strategy === 'scan') return records;
  const index = Grant.addToPrincipal({
    grantee,
    actions: ['dynamodb:Query'],
    resourceArns: [`${table.tableArn}/index/${relayIndex.indexName}`],
  });
  return records.combine(index);
}

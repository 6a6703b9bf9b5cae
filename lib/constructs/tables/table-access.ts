import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { AnyTable } from '../any-resource.ts';

/*
 * The actions behind the runtime's calls, and none else. A transaction needs no action of its own: each of
 * its writes is allowed by the action of the plain call.
 */

/** UpdateItem takes, renews and releases leases; ConditionCheckItem is what a discard rests on. */
const sagaActions = [
  'dynamodb:BatchGetItem',
  'dynamodb:ConditionCheckItem',
  'dynamodb:DeleteItem',
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
];

/**
 * UpdateItem keeps which messages of a record were sent; BatchWriteItem marks records, and deletes the chunks
 * of a large one, which Query reads.
 */
const outboxActions = [
  'dynamodb:BatchGetItem',
  'dynamodb:BatchWriteItem',
  'dynamodb:PutItem',
  'dynamodb:Query',
  'dynamodb:UpdateItem',
];

interface EndpointTables {
  readonly sagaTable: AnyTable | undefined;
  readonly outboxTable: AnyTable | undefined;
}

/** Allows what the handlers of an endpoint do with its tables. */
export function grantTables({ sagaTable, outboxTable }: EndpointTables, grantee: IGrantable): void {
  if (sagaTable !== undefined && isSameTable(sagaTable, outboxTable)) {
    // Two statements with the same resource would only repeat each other.
    grantActions(sagaTable, grantee, [...new Set([...sagaActions, ...outboxActions])].sort());
    return;
  }
  if (sagaTable !== undefined) grantSagaAccess(sagaTable, grantee);
  if (outboxTable !== undefined) grantOutboxAccess(outboxTable, grantee);
}

/** Allows what a handler does with sagas, on this table only. */
export function grantSagaAccess(table: AnyTable, grantee: IGrantable): Grant {
  return grantActions(table, grantee, sagaActions);
}

/** Allows what a handler does with its outbox, on this table only. */
export function grantOutboxAccess(table: AnyTable, grantee: IGrantable): Grant {
  return grantActions(table, grantee, outboxActions);
}

/** A table may be imported more than once: its ARN tells, also while it is a token. */
export function isSameTable(one: AnyTable | undefined, other: AnyTable | undefined): boolean {
  return one !== undefined && (one === other || one.tableArn === other?.tableArn);
}

function grantActions(table: AnyTable, grantee: IGrantable, actions: string[]): Grant {
  table.encryptionKey?.grantEncryptDecrypt(grantee);
  // The table's own `grant` would allow them on its indexes too.
  return Grant.addToPrincipal({ grantee, actions, resourceArns: [table.tableArn] });
}

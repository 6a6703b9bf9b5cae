import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { AnyTable } from '../any-resource.ts';

/*
 * The operations of the runtime, and none else. A transaction needs no permission of its own: each of its
 * writes is allowed by that of the plain call.
 */

/** UpdateItem takes, renews and releases leases; ConditionCheckItem is what a discard rests on. */
const sagaOperations = ['BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'PutItem', 'UpdateItem'];

/**
 * UpdateItem keeps which messages of a record were sent; BatchWriteItem marks records, and deletes the chunks
 * of a large one, which Query reads.
 */
const outboxOperations = ['BatchGetItem', 'BatchWriteItem', 'PutItem', 'Query', 'UpdateItem'];

interface EndpointTables {
  readonly sagaTable: AnyTable | undefined;
  readonly outboxTable: AnyTable | undefined;
}

/** Allows what the handlers of an endpoint do with its tables. */
export function grantTables({ sagaTable, outboxTable }: EndpointTables, grantee: IGrantable): void {
  if (sagaTable !== undefined && isSameTable(sagaTable, outboxTable)) {
    // Two statements with the same resource would only repeat each other.
    grantOperations(sagaTable, grantee, [...new Set([...sagaOperations, ...outboxOperations])].sort());
    return;
  }
  if (sagaTable !== undefined) grantSagaAccess(sagaTable, grantee);
  if (outboxTable !== undefined) grantOutboxAccess(outboxTable, grantee);
}

/** Allows what a handler does with sagas, on this table only. */
export function grantSagaAccess(table: AnyTable, grantee: IGrantable): Grant {
  return grantOperations(table, grantee, sagaOperations);
}

/** Allows what a handler does with its outbox, on this table only. */
export function grantOutboxAccess(table: AnyTable, grantee: IGrantable): Grant {
  return grantOperations(table, grantee, outboxOperations);
}

/** A table may be imported more than once: its ARN tells, also while it is a token. */
export function isSameTable(one: AnyTable | undefined, other: AnyTable | undefined): boolean {
  return one !== undefined && (one === other || one.tableArn === other?.tableArn);
}

/** Allows to use the key of the table too. */
export function grantOperations(table: AnyTable, grantee: IGrantable, operations: readonly string[]): Grant {
  table.encryptionKey?.grantEncryptDecrypt(grantee);
  const actions = operations.map((operation) => `dynamodb:${operation}`);
  // The table's own `grant` would allow them on its indexes too.
  return Grant.addToPrincipal({ grantee, actions, resourceArns: [table.tableArn] });
}

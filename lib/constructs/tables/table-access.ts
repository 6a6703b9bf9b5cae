import { Stack } from 'aws-cdk-lib';
import { AccountPrincipal, Grant, type IGrantable, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import { trueOrFalse } from '../../kernel/checks/checks.ts';
import { argumentOf } from '../checks/prop-checks.ts';
import type { AnyTable } from '../construct-types.ts';
import { reachable } from '../destinations/reachable.ts';
import { assertGrantee, holderOf, refusedGrant } from '../grantees.ts';
import {
  type Conditions,
  type LeadingKeys,
  leadingKeysCondition,
  rememberLeadingKeys,
} from './leading-keys.ts';
import { addRecordOwner } from './record-owners.ts';
import { isSameTable } from './same-table.ts';
import {
  foreignKeyProblem,
  isOfAnotherAccount,
  namelessProblem,
  reachableTable,
  reportUnreachableTable,
} from './table-place.ts';

/*
 * The operations of the runtime, and none else. A transaction needs no permission of its own: each of its
 * writes is allowed by that of the plain call.
 */

/**
 * ConditionCheckItem is what a discard rests on, DeleteItem completes a saga, Query reads what was appended to it,
 * UpdateItem takes, renews and releases leases.
 */
const sagaOperations = ['BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'PutItem', 'Query', 'UpdateItem'];

/**
 * A BatchExecuteStatement commits and marks several sagas with an embedded outbox, which needs the action of each of
 * its statements. Source: "IAM security policies with PartiQL for DynamoDB".
 */
const embeddedOperations = ['PartiQLInsert', 'PartiQLUpdate'];

/**
 * UpdateItem keeps which messages of a record were sent; BatchWriteItem marks records, and deletes the chunks
 * of a large one, which Query reads.
 */
const outboxOperations = ['BatchGetItem', 'BatchWriteItem', 'PutItem', 'Query', 'UpdateItem'];

interface EndpointTables extends Construct {
  readonly endpointName: string;
  readonly sagaTable: AnyTable | undefined;
  readonly outboxTable: AnyTable | undefined;
  readonly embeddedOutbox: boolean;
}

/** Allows what the handlers of an endpoint do with its tables. */
export function grantTables(
  tables: EndpointTables,
  { leadingKeys }: { readonly leadingKeys?: LeadingKeys },
  grantee: IGrantable,
): void {
  const { endpointName, sagaTable, outboxTable, embeddedOutbox } = tables;
  rememberLeadingKeys(tables, leadingKeys);
  addRecordOwner(tables);
  if (sagaTable !== undefined) reportUnreachableTable(tables, sagaTable, 'sagaTable');
  if (outboxTable !== undefined) reportUnreachableTable(tables, outboxTable, 'outboxTable');
  const endpoint = { endpointName, leadingKeys };
  const operations = operationsOfSagas(embeddedOutbox);
  if (sagaTable !== undefined && isSameTable(sagaTable, outboxTable)) {
    // Two statements with the same resource would only repeat each other.
    const condition = leadingKeysCondition(endpoint, ['sagas', 'outbox']);
    grantOperations(sagaTable, grantee, [...operations, ...outboxOperations], condition);
    return;
  }
  if (sagaTable !== undefined) {
    grantOperations(sagaTable, grantee, operations, leadingKeysCondition(endpoint, ['sagas']));
  }
  if (outboxTable !== undefined) {
    grantOperations(outboxTable, grantee, outboxOperations, leadingKeysCondition(endpoint, ['outbox']));
  }
}

/** Allows what a handler does with sagas, on this table only. */
export function grantSagaAccess(table: AnyTable, grantee: IGrantable, embeddedOutbox = false): Grant {
  argumentOf('grantSagaAccess', table, { embeddedOutbox }, trueOrFalse);
  return (
    refusedFor('grantSagaAccess', table, grantee) ??
    grantOperations(table, grantee, operationsOfSagas(embeddedOutbox))
  );
}

/** Allows what a session does with its records; the caller has reported a table that cannot be referred to. */
export function grantRecords(table: AnyTable, grantee: IGrantable): Grant {
  return grantOperations(table, grantee, outboxOperations);
}

/** Allows what a handler does with its outbox, on this table only. */
export function grantOutboxAccess(table: AnyTable, grantee: IGrantable): Grant {
  return refusedFor('grantOutboxAccess', table, grantee) ?? grantOperations(table, grantee, outboxOperations);
}

/** A table of another account takes part when it has a name, as in an endpoint. */
function refusedFor(method: string, table: AnyTable, grantee: IGrantable): Grant | undefined {
  assertGrantee(method, table, grantee);
  const holder = holderOf(grantee);
  const problem = holder && (namelessProblem(holder, table) ?? foreignKeyProblem(holder, table));
  return problem === undefined ? undefined : refusedGrant(table, method, grantee, problem);
}

function operationsOfSagas(embeddedOutbox: boolean): readonly string[] {
  return [...sagaOperations, ...(embeddedOutbox ? embeddedOperations : [])];
}

/**
 * Allows to use the key of the table too. A table of the app that stands in another account is told to trust
 * the account of the grantee: its functions have the permissions that they are given there.
 */
export function grantOperations(
  table: AnyTable,
  grantee: IGrantable,
  operations: readonly string[],
  conditions: Conditions = {},
): Grant {
  const actions = [...new Set(operations)].sort().map((operation) => `dynamodb:${operation}`);
  const { principalAccount: account = Stack.of(table).account } = grantee.grantPrincipal;
  // The table's own `grant` would allow them on its indexes too.
  const resourceArns = [reachableTable(table)];
  const grant = Grant.addToPrincipal({ grantee, actions, resourceArns, conditions });
  if (isOfAnotherAccount(table, account) && 'addToResourcePolicy' in table) {
    const principals = [new AccountPrincipal(account)];
    table.addToResourcePolicy(new PolicyStatement({ principals, actions, resources: ['*'] }));
  }
  const { encryptionKey } = table;
  return encryptionKey === undefined ? grant : grant.combine(grantTableKey(table, encryptionKey, grantee));
}

/**
 * DynamoDB decrypts the key of a table in the name of whoever reads or writes it, and does no more with the
 * customer managed key until that is changed. Nobody can decrypt anything else with it: only DynamoDB may ask.
 * Sources: "DynamoDB encryption at rest usage notes", "How Amazon DynamoDB uses AWS KMS" (Decrypt).
 */
function grantTableKey(table: AnyTable, key: IKey, grantee: IGrantable): Grant {
  const viaService = `dynamodb.${Stack.of(table).region}.amazonaws.com`;
  return Grant.addToPrincipal({
    grantee,
    actions: ['kms:Decrypt'],
    resourceArns: [reachable(key, key.keyArn)],
    conditions: { StringEquals: { 'kms:ViaService': viaService } },
  });
}

import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { RelayStrategy } from '../../relay/relay-defaults.ts';
import type { AnyTable } from '../construct-types.ts';
import type { Conditions } from '../tables/leading-keys.ts';
import { grantOperations } from '../tables/table-access.ts';

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

/** Query reads the list, DeleteItem takes off what is sent; BatchGetItem and UpdateItem keep the state of the watch. */
const listOperations = ['BatchGetItem', 'DeleteItem', 'Query', 'UpdateItem'];

/** Whose items are worked on, and whose lists; none for all of the table. */
export interface RelayConditions {
  readonly items?: Conditions;
  readonly list?: Conditions;
}

/** Allows to find the undispatched records of this table by the strategies, and to work on them, and nothing else. */
export function grantOutboxRelay(
  table: AnyTable,
  grantee: IGrantable,
  strategies: readonly RelayStrategy[],
  conditions: RelayConditions = {},
): Grant {
  return grantSearch(table, grantee, strategies, recordOperations, conditions);
}

/** Allows the same of what is undispatched in the items of sagas with an embedded outbox. */
export function grantEmbeddedRelay(
  table: AnyTable,
  grantee: IGrantable,
  strategies: readonly RelayStrategy[],
  conditions: RelayConditions = {},
): Grant {
  return grantSearch(table, grantee, strategies, entryOperations, conditions);
}

/** Allows to ask whether the stream of the table is on, which names no keys. */
export function grantStreamCheck(table: AnyTable, grantee: IGrantable): Grant {
  return grantOperations(table, grantee, ['DescribeTable']);
}

/** With what is done to what is found. */
function grantSearch(
  table: AnyTable,
  grantee: IGrantable,
  strategies: readonly RelayStrategy[],
  operations: readonly string[],
  { items = {}, list = {} }: RelayConditions,
): Grant {
  const parts: readonly (readonly [readonly string[], Conditions])[] = [
    [operations, items],
    ...(strategies.includes('stream') ? [[listOperations, list] as const] : []),
    // A Scan names no keys. That it was made is kept with the state of the watch.
    ...(strategies.includes('scan')
      ? [[['Scan'], {}] as const, [['BatchGetItem', 'UpdateItem'], list] as const]
      : []),
  ];
  const statements = new Map<string, [string[], Conditions]>();
  for (const [actions, conditions] of parts) {
    const [others] = statements.get(JSON.stringify(conditions)) ?? [[]];
    statements.set(JSON.stringify(conditions), [[...others, ...actions], conditions]);
  }
  const grants = [...statements.values()].map((each) => grantOperations(table, grantee, ...each));
  return grants.reduce((all, one) => all.combine(one));
}

import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import { reportedUnits as unitsOfWrite } from '../../core/storage/capacity-units.ts';
import { noUnits, type RecordedCall, type Units } from './recorded-call.ts';

const readOperations = ['GetItem', 'BatchGetItem', 'Query', 'Scan', 'TransactGetItems'];
const writeOperations = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems'];
const statementOperations = ['ExecuteStatement', 'BatchExecuteStatement', 'ExecuteTransaction'];

/** What a call took of one table, or of one statement. */
export interface ReportedUnits extends Units {
  readonly tableName: string | undefined;
}

/** Whether the call takes capacity units. */
export function takesUnits({ operation }: RecordedCall): boolean {
  return [...readOperations, ...writeOperations, ...statementOperations].includes(operation);
}

/** What the engine reports that a call took; undefined when it reports nothing. */
export function reportedUnits(call: RecordedCall): readonly ReportedUnits[] | undefined {
  const consumed: ConsumedCapacity | readonly ConsumedCapacity[] | undefined = call.output?.ConsumedCapacity;
  if (consumed === undefined) return undefined;
  const isRead = readsOnly(call);
  return [consumed]
    .flat()
    .map((one) => ({ tableName: one.TableName, ...(isRead ? readsOf(one) : writesOf(one)) }));
}

export function sumOf(all: readonly Units[]): Units {
  return all.reduce((sum, { rcu, wcu }) => ({ rcu: sum.rcu + rcu, wcu: sum.wcu + wcu }), noUnits);
}

function readsOnly({ operation, input }: RecordedCall): boolean {
  if (!statementOperations.includes(operation)) return readOperations.includes(operation);
  const statements: readonly { Statement?: string }[] = input?.Statements ??
    input?.TransactStatements ?? [input];
  return statements.every(({ Statement: statement = '' }) => /^\s*(select|exists)\b/i.test(statement));
}

function readsOf({ CapacityUnits: rcu = 0 }: ConsumedCapacity): Units {
  return { rcu, wcu: 0 };
}

function writesOf(reported: ConsumedCapacity): Units {
  const { readUnits: rcu, writeUnits: wcu } = unitsOfWrite(reported);
  return { rcu, wcu };
}

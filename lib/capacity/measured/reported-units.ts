import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import { reportedUnits as unitsOfWrite } from '../../dynamodb/capacity-units.ts';
import type { CapacityUnitsPlan } from '../message-shape.ts';
import type { RecordedCall } from './recorded-call.ts';

const readOperations = ['GetItem', 'BatchGetItem', 'Query', 'Scan', 'TransactGetItems'];
const writeOperations = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems'];
const statementOperations = ['ExecuteStatement', 'BatchExecuteStatement', 'ExecuteTransaction'];

/** What a call took of one table, or of one statement. */
export interface ReportedUnits extends CapacityUnitsPlan {
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
  return [consumed].flat().map((one) => {
    const { TableName: tableName, CapacityUnits: rcu = 0 } = one;
    return { tableName, ...(isRead ? { rcu, wcu: 0 } : writesOf(one)) };
  });
}

function readsOnly({ operation, input }: RecordedCall): boolean {
  if (!statementOperations.includes(operation)) return readOperations.includes(operation);
  const statements: readonly { Statement?: string }[] = input?.Statements ??
    input?.TransactStatements ?? [input];
  return statements.every(({ Statement: statement = '' }) => /^\s*(select|exists)\b/i.test(statement));
}

function writesOf(reported: ConsumedCapacity): CapacityUnitsPlan {
  const { readUnits: rcu, writeUnits: wcu } = unitsOfWrite(reported);
  return { rcu, wcu };
}

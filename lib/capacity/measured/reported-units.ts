import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import { noUnits, type RecordedCall, type Units } from './recorded-call.ts';

const readOperations = ['GetItem', 'BatchGetItem', 'Query', 'Scan', 'TransactGetItems'];
const writeOperations = ['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem', 'TransactWriteItems'];

/** Whether the call takes capacity units. */
export function takesUnits({ operation }: RecordedCall): boolean {
  return readOperations.includes(operation) || writeOperations.includes(operation);
}

/** What the engine reports that a call took, each table by itself; undefined when it reports nothing. */
export function reportedUnits({
  operation,
  output,
}: RecordedCall): ReadonlyMap<string | undefined, Units> | undefined {
  const consumed: ConsumedCapacity | readonly ConsumedCapacity[] | undefined = output?.ConsumedCapacity;
  if (consumed === undefined) return undefined;
  const isRead = readOperations.includes(operation);
  return new Map([consumed].flat().map((one) => [one.TableName, isRead ? readsOf(one) : writesOf(one)]));
}

export function sumOf(all: Iterable<Units>): Units {
  return [...all].reduce((sum, { rcu, wcu }) => ({ rcu: sum.rcu + rcu, wcu: sum.wcu + wcu }), noUnits);
}

function readsOf({ CapacityUnits: rcu = 0 }: ConsumedCapacity): Units {
  return { rcu, wcu: 0 };
}

/** A transaction that is sent again with its token takes reads. Source: "Amazon DynamoDB Transactions: How it works". */
function writesOf({ CapacityUnits: sum = 0, ReadCapacityUnits: rcu = 0 }: ConsumedCapacity): Units {
  return { rcu, wcu: sum - rcu };
}

import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { SagaboxError } from '../failures/errors.ts';
import { thrownMessage } from '../failures/thrown.ts';

const operations = ['Put', 'Update', 'Delete', 'ConditionCheck'] as const;

/** Why it is no write of a transaction, if it is none. */
export function transactionItemProblem(item: TransactWriteItem): string | undefined {
  if (typeof item !== 'object' || item === null) return 'it is not an object';
  const given = operations.filter((operation) => item[operation] !== undefined);
  const [operation] = given;
  if (operation === undefined || given.length > 1)
    return `it needs one of ${operations.join(', ')}, and has ${given.length}`;
  if (item[operation]?.TableName) return undefined;
  return `its ${operation} names no table: is the environment variable with the name set?`;
}

export function detachTransactionItem(item: TransactWriteItem, index: number): TransactWriteItem {
  let copy: TransactWriteItem;
  try {
    copy = structuredClone(item);
  } catch (error) {
    throw invalidItem(index, `it holds what no write can: ${thrownMessage(error)}`);
  }
  const problem = transactionItemProblem(copy);
  if (problem) throw invalidItem(index, problem);
  return copy;
}

export function invalidItem(index: number, detail: string): SagaboxError<'InvalidTransactionItem'> {
  return new SagaboxError('InvalidTransactionItem', { index, detail });
}

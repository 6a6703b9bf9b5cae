import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { SagaboxError } from '../failures/errors.ts';
import { thrownMessage } from '../failures/thrown.ts';

const operations = ['Put', 'Update', 'Delete', 'ConditionCheck'] as const;

function assertTransactionItem(item: TransactWriteItem, index: number): void {
  if (typeof item !== 'object' || item === null) throw invalidItem(index, 'it is not an object');
  const given = operations.filter((operation) => item[operation] !== undefined);
  const [operation] = given;
  if (operation === undefined || given.length > 1) {
    throw invalidItem(index, `it needs one of ${operations.join(', ')}, and has ${given.length}`);
  }
  if (!item[operation]?.TableName) {
    const detail = `its ${operation} names no table: is the environment variable with the name set?`;
    throw invalidItem(index, detail);
  }
}

export function detachTransactionItem(item: TransactWriteItem, index: number): TransactWriteItem {
  let copy: TransactWriteItem;
  try {
    copy = structuredClone(item);
  } catch (error) {
    throw invalidItem(index, `it holds what no write can: ${thrownMessage(error)}`);
  }
  assertTransactionItem(copy, index);
  return copy;
}

export function invalidItem(index: number, detail: string): SagaboxError<'InvalidTransactionItem'> {
  return new SagaboxError('InvalidTransactionItem', { index, detail });
}

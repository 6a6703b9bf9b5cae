import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { attributesProblem, keyProblem } from '../dynamodb/attribute-problem.ts';
import { SagaboxError } from '../kernel/errors/errors.ts';
import { thrownMessage } from '../kernel/errors/thrown.ts';
import { isJsonObject, kindOf } from '../kernel/values/value-kind.ts';
import { pathTo, placeOf } from '../kernel/values/value-place.ts';

const operations = ['Put', 'Update', 'Delete', 'ConditionCheck'] as const;

/** Returns the reason why an item is no write of a transaction; `undefined` for one that is. */
export function transactionItemProblem(item: TransactWriteItem): string | undefined {
  if (typeof item !== 'object' || item === null) return 'it is not an object';
  const given = operations.filter((operation) => item[operation] !== undefined);
  const [operation] = given;
  if (operation === undefined || given.length > 1)
    return `it needs one of ${operations.join(', ')}, and has ${given.length}`;
  const write = item[operation] as Write;
  const { TableName: table } = write ?? {};
  if (!table) return `its ${operation} names no table: is the environment variable with the name set?`;
  const problem = valuesProblem(operation, write);
  return problem && `its ${operation} of table '${table}' cannot be written: ${problem}`;
}

/** The parameters that each operation may have; plain JavaScript may give anything. */
interface Write {
  readonly TableName?: string;
  readonly Key?: unknown;
  readonly Item?: unknown;
  readonly ExpressionAttributeNames?: unknown;
  readonly ExpressionAttributeValues?: unknown;
}

/** Returns the problem of values that DynamoDB, or its client, would refuse without telling their place. */
function valuesProblem(operation: (typeof operations)[number], write: Write): string | undefined {
  const { Key, Item, ExpressionAttributeNames: names, ExpressionAttributeValues: values } = write;
  return (
    (operation === 'Put' ? attributesProblem(Item, 'Item') : keyProblem(Key, 'Key')) ??
    (names === undefined ? undefined : namesProblem(names)) ??
    (values === undefined ? undefined : attributesProblem(values, 'ExpressionAttributeValues'))
  );
}

function namesProblem(names: unknown): string | undefined {
  const option = 'ExpressionAttributeNames';
  if (!isJsonObject(names)) return `${option} is ${kindOf(names)}: give an object of names`;
  const wrong = Object.entries(names).find(([, name]) => typeof name !== 'string');
  return (
    wrong && `${pathTo(wrong[0], placeOf(names, option, undefined))} is ${kindOf(wrong[1])}, not a string`
  );
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

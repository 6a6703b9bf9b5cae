import type {
  BatchExecuteStatementCommandInput,
  BatchExecuteStatementCommandOutput,
  BatchGetItemCommandInput,
  BatchStatementErrorCodeEnum,
  BatchWriteItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import type { SendMessageBatchCommandInput } from '@aws-sdk/client-sqs';

/** A part of a batch is carried out, and what is left of it is told as the service tells it. */
export interface PartialCall {
  /** Nothing when all is left. */
  readonly input: object | undefined;
  readonly complete: (output: object) => object;
}

export function partialCall(operation: string, input: object, keeps: () => boolean): PartialCall {
  if (operation === 'BatchGetItem') return partialRead(input as BatchGetItemCommandInput, keeps);
  if (operation === 'BatchWriteItem') return partialWrite(input as BatchWriteItemCommandInput, keeps);
  if (operation === 'BatchExecuteStatement')
    return partialStatements(input as BatchExecuteStatementCommandInput, keeps);
  return partialSend(input as SendMessageBatchCommandInput, keeps);
}

function partialRead(input: BatchGetItemCommandInput, keeps: () => boolean): PartialCall {
  const tables = Object.entries(input.RequestItems ?? {}).map(([table, read]) => {
    const { taken, left } = split(read.Keys ?? [], keeps);
    return { table, taken: taken && { ...read, Keys: taken }, left: left && { ...read, Keys: left } };
  });
  return partialTables(input, tables, 'UnprocessedKeys');
}

function partialWrite(input: BatchWriteItemCommandInput, keeps: () => boolean): PartialCall {
  const tables = Object.entries(input.RequestItems ?? {}).map(([table, writes]) => {
    return { table, ...split(writes, keeps) };
  });
  return partialTables(input, tables, 'UnprocessedItems');
}

const refusals: readonly BatchStatementErrorCodeEnum[] = ['ThrottlingError', 'TransactionConflict'];

/** Each statement has its answer at its own place. */
function partialStatements(
  { Statements = [], ...input }: BatchExecuteStatementCommandInput,
  keeps: () => boolean,
): PartialCall {
  const isTaken = Statements.map(() => keeps());
  const taken = Statements.filter((_, index) => isTaken[index]);
  const Code = refusals[Number(keeps())];
  return {
    input: taken.length === 0 ? undefined : { ...input, Statements: taken },
    complete: (output) => {
      const answers = [...((output as BatchExecuteStatementCommandOutput).Responses ?? [])];
      const refusal = { Error: { Code, Message: 'of the soak' } };
      return { ...output, Responses: isTaken.map((is) => (is ? answers.shift() : refusal)) };
    },
  };
}

interface PartialTable {
  readonly table: string;
  readonly taken?: object | undefined;
  readonly left?: object | undefined;
}

function partialTables(
  input: object,
  tables: readonly PartialTable[],
  unprocessed: 'UnprocessedKeys' | 'UnprocessedItems',
): PartialCall {
  const of = (part: 'taken' | 'left') =>
    Object.fromEntries(tables.flatMap(({ table, [part]: some }) => (some ? [[table, some]] : [])));
  const RequestItems = of('taken');
  return {
    input: Object.keys(RequestItems).length === 0 ? undefined : { ...input, RequestItems },
    complete: (output) => ({ ...output, [unprocessed]: of('left') }),
  };
}

function partialSend(input: SendMessageBatchCommandInput, keeps: () => boolean): PartialCall {
  const { taken, left = [] } = split(input.Entries ?? [], keeps);
  const failure = { Code: 'InternalError', Message: 'of the soak', SenderFault: false };
  return {
    input: taken && { ...input, Entries: taken },
    complete: (output) => ({ ...output, Failed: left.map(({ Id }) => ({ Id, ...failure })) }),
  };
}

function split<T>(elements: readonly T[], keeps: () => boolean): { taken?: T[]; left?: T[] } {
  return Object.groupBy(elements, () => (keeps() ? 'taken' : 'left'));
}

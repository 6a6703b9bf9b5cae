import type { Item, RecordedCall } from './recorded-call.ts';

/** One item that a call reads or writes. */
export interface CalledItem {
  readonly tableName: string;
  /** The item, or its key; of a query the values of its condition. */
  readonly item: Item;
  readonly count: number;
}

/** The items that a call reads or writes; those that DynamoDB left unprocessed are not among them. */
export function calledItems({ operation, input, output }: RecordedCall): CalledItem[] {
  switch (operation) {
    case 'GetItem':
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return [{ tableName: input.TableName, item: input.Item ?? input.Key ?? {}, count: 1 }];
    case 'Query': {
      const values = input.ExpressionAttributeValues ?? {};
      return [{ tableName: input.TableName, item: values, count: output?.Items?.length ?? 0 }];
    }
    case 'BatchGetItem':
      return byTable<{ Keys: Item[] }>(input.RequestItems).flatMap(([tableName, { Keys: keys }]) => {
        const left: readonly Item[] = output?.UnprocessedKeys?.[tableName]?.Keys ?? [];
        return without(keys, left).map((item) => ({ tableName, item, count: 1 }));
      });
    case 'BatchWriteItem':
      return byTable<BatchedWrite[]>(input.RequestItems).flatMap(([tableName, writes]) => {
        const left: readonly BatchedWrite[] = output?.UnprocessedItems?.[tableName] ?? [];
        return without(writes, left).map(({ PutRequest, DeleteRequest }) => {
          const item = PutRequest?.Item ?? DeleteRequest?.Key ?? {};
          return { tableName, item, count: 1 };
        });
      });
    case 'TransactWriteItems': {
      const writes: readonly Record<string, TransactedWrite>[] = input.TransactItems ?? [];
      return writes.flatMap((write) =>
        Object.values(write).map(({ TableName, Item: put, Key: key }) => {
          const item = put ?? key ?? {};
          return { tableName: TableName, item, count: 1 };
        }),
      );
    }
    default:
      return [];
  }
}

interface BatchedWrite {
  readonly PutRequest?: { readonly Item: Item };
  readonly DeleteRequest?: { readonly Key: Item };
}

interface TransactedWrite {
  readonly TableName: string;
  readonly Item?: Item;
  readonly Key?: Item;
}

function without<T>(all: readonly T[], left: readonly T[]): T[] {
  const leftOut = new Set(left.map((one) => JSON.stringify(one)));
  return all.filter((one) => !leftOut.has(JSON.stringify(one)));
}

function byTable<Requested>(requestItems: Readonly<Record<string, Requested>> = {}): [string, Requested][] {
  return Object.entries(requestItems);
}

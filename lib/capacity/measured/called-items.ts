import type { Item, RecordedCall } from './recorded-call.ts';
import { requestedStatements } from './requested-statements.ts';
import { requestedWrites } from './requested-writes.ts';

/** One item that a call reads or writes. */
export interface CalledItem {
  readonly tableName: string;
  /** The item, or its key; of a query the values of its condition. */
  readonly item: Item;
  readonly count: number;
  /** Of PartiQL, that writes it. */
  readonly statement?: string;
}

/** The items that a call reads or writes; those that DynamoDB left unprocessed are not among them. */
export function calledItems(call: RecordedCall): CalledItem[] {
  const { operation, input, output } = call;
  switch (operation) {
    case 'GetItem':
      return [{ tableName: input.TableName, item: input.Key ?? {}, count: 1 }];
    case 'Query': {
      const values = input.ExpressionAttributeValues ?? {};
      return [{ tableName: input.TableName, item: values, count: output?.Items?.length ?? 0 }];
    }
    case 'BatchExecuteStatement':
      return requestedStatements(call).map(({ tableName, key, text }) => {
        return { tableName, item: key, count: 1, statement: text };
      });
    case 'BatchGetItem': {
      const { UnprocessedKeys: left } = output ?? {};
      return without(requestedKeys(input.RequestItems), requestedKeys(left));
    }
    default: {
      const left = { RequestItems: output?.UnprocessedItems };
      return without(writtenItems(operation, input), writtenItems(operation, left));
    }
  }
}

function requestedKeys(byTable: Readonly<Record<string, { readonly Keys: Item[] }>> = {}): CalledItem[] {
  return Object.entries(byTable).flatMap(([tableName, { Keys: keys }]) =>
    keys.map((item) => ({ tableName, item, count: 1 })),
  );
}

function writtenItems(operation: string, input: RecordedCall['input']): CalledItem[] {
  return requestedWrites<Item>(operation, input).map(({ tableName, item, key = {} }) => ({
    tableName,
    item: item ?? key,
    count: 1,
  }));
}

function without(all: readonly CalledItem[], left: readonly CalledItem[]): CalledItem[] {
  const leftOut = new Set(left.map((one) => JSON.stringify(one)));
  return all.filter((one) => !leftOut.has(JSON.stringify(one)));
}

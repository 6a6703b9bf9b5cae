import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { PAGE_BYTES } from '../../dynamodb/capacity-units.ts';
import { itemSize } from '../../dynamodb/item-size.ts';
import { orderOf } from './compare.ts';
import { holds } from './condition.ts';
import { NotEvaluated, Refused } from './expression-tokens.ts';
import type { Item, Placeholders } from './item.ts';
import { assertKeyCondition } from './key-condition.ts';
import { projected, projectedPaths } from './projection.ts';
import {
  assertOnlyKey,
  type Expressions,
  keyOf,
  notEvaluated,
  placeholdersOf,
  type Table,
  type TestTables,
} from './test-tables.ts';

/** A read of items by their keys, or what several of them share. */
interface ReadRequest extends Expressions {
  readonly TableName?: string;
  readonly Key?: Item;
  readonly Keys?: readonly Item[];
}

/** A `Query` or `Scan`. */
interface SearchRequest extends Expressions {
  readonly TableName?: string;
  readonly Limit?: number;
  readonly ExclusiveStartKey?: Item;
  readonly ScanIndexForward?: boolean;
  readonly Select?: string;
}

export interface Input extends ReadRequest, SearchRequest {
  readonly RequestItems?: Readonly<Record<string, ReadRequest>>;
  readonly TransactItems?: readonly { readonly Get?: ReadRequest }[];
}

const ofKeys = [
  'Key',
  'Keys',
  'TableName',
  'ConsistentRead',
  'ProjectionExpression',
  'ExpressionAttributeNames',
];
const ofSearches = [
  'TableName',
  'ConsistentRead',
  'ProjectionExpression',
  'FilterExpression',
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
  'Limit',
  'ExclusiveStartKey',
  'Select',
  'ReturnConsumedCapacity',
];
const ofQueries = [...ofSearches, 'KeyConditionExpression', 'ScanIndexForward'];
const selections = ['ALL_ATTRIBUTES', 'SPECIFIC_ATTRIBUTES', 'COUNT'];

/** Sources: "BatchGetItem", "TransactGetItems" and "Query" in the Amazon DynamoDB API Reference. */
const MAX_KEYS = 100;

/** The reads of DynamoDB's API that are answered, by their names. */
const operations: Readonly<Record<string, (tables: TestTables, input: Input) => object>> = {
  GetItem: (tables, input) => {
    assertKnown('GetItem', input.TableName, input, [...ofKeys, 'ReturnConsumedCapacity']);
    const [item] = itemsOf(tables, input.TableName, { ...input, Keys: [input.Key ?? {}] });
    return item ? { Item: item } : {};
  },
  BatchGetItem: (tables, input) => {
    const requests = Object.entries(input.RequestItems ?? {});
    assertKeyCount(requests.flatMap(([, { Keys = [] }]) => Keys).length);
    const found = requests.map(([name, request]) => {
      assertKnown('BatchGetItem', name, request, ofKeys);
      const table = tables.table(tableNameOf(name));
      const keys = (request.Keys ?? []).map((key) => keyOf(table, key));
      if (new Set(keys).size < keys.length) throw new Refused('it has a key twice');
      return [name, itemsOf(tables, name, request).filter((item) => item !== undefined)];
    });
    return { Responses: Object.fromEntries(found), UnprocessedKeys: {} };
  },
  TransactGetItems: (tables, { TransactItems: items = [] }) => {
    assertKeyCount(items.length);
    const found = items.flatMap(({ Get: request = {} }) => {
      assertKnown('TransactGetItems', request.TableName, request, ofKeys);
      return itemsOf(tables, request.TableName, { ...request, Keys: [request.Key ?? {}] });
    });
    return { Responses: found.map((Item) => (Item ? { Item } : {})) };
  },
  Query: (tables, input) => {
    assertKnown('Query', input.TableName, input, ofQueries);
    const table = tables.table(tableNameOf(input.TableName));
    const placeholders = placeholdersOf(input);
    const { KeyConditionExpression: condition, ScanIndexForward: isForward = true } = input;
    if (condition === undefined) throw new Refused('a Query needs a KeyConditionExpression');
    assertKeyCondition(condition, table.key, placeholders);
    const found = [...table.items.values()].filter((item) => holds(condition, item, placeholders));
    const inOrder = found.toSorted((one, other) => sortOrder(table, one, other) * (isForward ? 1 : -1));
    return searched(table, inOrder, input, placeholders);
  },
  Scan: (tables, input) => {
    assertKnown('Scan', input.TableName, input, ofSearches);
    const table = tables.table(tableNameOf(input.TableName));
    return searched(table, [...table.items.values()], input, placeholdersOf(input));
  },
};

/**
 * The answer to a read, as DynamoDB's API has it; undefined for an operation that is no read of items.
 *
 * @throws Refused for what DynamoDB refuses; SagaboxError `Configuration` for a table that was not given, and for what
 *   the test kit does not evaluate
 */
export function answerRead(tables: TestTables, operation: string, input: Input): object | undefined {
  try {
    return operations[operation]?.(tables, input);
  } catch (error) {
    const { TableName: tableName = '' } = input;
    throw error instanceof NotEvaluated
      ? notEvaluated(tableNameOf(tableName), `a ${operation}`, error)
      : error;
  }
}

function itemsOf(tables: TestTables, name: string | undefined, request: ReadRequest): (Item | undefined)[] {
  const table = tables.table(tableNameOf(name));
  const placeholders = placeholdersOf(request);
  const project = projectionOf(request, placeholders);
  return (request.Keys ?? []).map((key) => {
    assertOnlyKey(table, key);
    const item = table.items.get(keyOf(table, key));
    return item && project(item);
  });
}

/** One page of what was found. */
function searched(table: Table, found: readonly Item[], request: SearchRequest, placeholders: Placeholders) {
  const { Limit: limit, ExclusiveStartKey: start, FilterExpression: filter, Select: selection } = request;
  if (selection !== undefined && !selections.includes(selection))
    throw new NotEvaluated(`Select: '${selection}'`);
  if (limit !== undefined && limit < 1) throw new Refused('Limit is under 1');
  const startKey = start && keyOf(table, start);
  const startsAt =
    startKey === undefined ? 0 : found.findIndex((item) => keyOf(table, item) === startKey) + 1;
  if (startKey !== undefined && startsAt === 0) throw new NotEvaluated('ExclusiveStartKey is of no item');
  const page = pageOf(found.slice(startsAt), limit);
  const last = page.at(-1);
  const isLast = startsAt + page.length >= found.length && page.length !== limit;
  const project = projectionOf(request, placeholders);
  const taken = filter === undefined ? page : page.filter((item) => holds(filter, item, placeholders));
  return {
    ...(selection !== 'COUNT' && { Items: taken.map(project) }),
    Count: taken.length,
    ScannedCount: page.length,
    ...(!isLast && last && { LastEvaluatedKey: keyPart(table, last) }),
  };
}

function pageOf(items: readonly Item[], limit = items.length): readonly Item[] {
  let bytes = 0;
  const end = items.findIndex((item) => {
    const isFull = bytes >= PAGE_BYTES;
    bytes += itemSize({ ...item });
    return isFull;
  });
  return items.slice(0, Math.min(limit, end < 0 ? limit : end));
}

function projectionOf({ ProjectionExpression: expression }: Expressions, placeholders: Placeholders) {
  if (expression === undefined) return (item: Item) => item;
  const paths = projectedPaths(expression, placeholders);
  return (item: Item) => projected(item, paths);
}

function keyPart({ key }: Table, item: Item): Item {
  return Object.fromEntries(key.map((name) => [name, item[name] as AttributeValue]));
}

function sortOrder({ key: [, sort] }: Table, one: Item, other: Item): number {
  if (sort === undefined) return 0;
  return orderOf(one[sort] as AttributeValue, other[sort] as AttributeValue) ?? 0;
}

/** The SDK takes the ARN of a table too. */
function tableNameOf(nameOrArn = ''): string {
  return /^arn:.*:table\/([^/]+)$/.exec(nameOrArn)?.[1] ?? nameOrArn;
}

function assertKnown(
  operation: string,
  tableName: string | undefined,
  request: object,
  known: string[],
): void {
  const unknown = Object.keys(request).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw notEvaluated(
    tableNameOf(tableName),
    `a ${operation}`,
    new NotEvaluated(`it has ${unknown.join(', ')}`),
  );
}

function assertKeyCount(count: number): void {
  if (count > MAX_KEYS) throw new Refused(`it has ${count} keys, over ${MAX_KEYS}`);
}

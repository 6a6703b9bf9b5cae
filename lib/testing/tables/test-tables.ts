import type { AttributeValue, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { attributesProblem } from '../../dynamodb/attribute-problem.ts';
import { configurationError, SagaboxError } from '../../kernel/errors/errors.ts';
import { describeValue } from '../../kernel/errors/thrown.ts';
import { holds } from './condition.ts';
import { decimalOf, decimalText } from './decimal.ts';
import { NotEvaluated, Refused } from './expression-tokens.ts';
import type { Item, Placeholders } from './item.ts';
import { storedItem } from './stored-item.ts';
import { updated } from './update.ts';

/** A table of the user's own, as a test gives it. */
export interface TestTable {
  /** The names of its key attributes: the partition key, and the sort key if it has one. */
  readonly key: readonly [string] | readonly [string, string];
  /**
   * What is in it before the test.
   *
   * @default none
   */
  readonly items?: readonly Item[];
}

/** A condition of `transaction.add` that was taken to hold, because its table is not among the `tables`. */
export interface UnevaluatedCondition {
  readonly tableName: string;
  readonly expression: string;
}

export interface Table {
  readonly name: string;
  readonly key: TestTable['key'];
  readonly items: Map<string, Item>;
}

/** The expressions of a call, with the names and values of their placeholders. */
export interface Expressions {
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Item | undefined;
  readonly [expression: `${string}Expression`]: string | undefined;
}

/** One write of `transaction.add`. */
interface Write extends Expressions {
  readonly TableName: string | undefined;
  readonly Key?: Item | undefined;
  readonly Item?: Item | undefined;
}

/** The tables of the user's own that a test gives: conditions are evaluated on them, and writes change them. */
export class TestTables {
  readonly unevaluated: UnevaluatedCondition[] = [];
  readonly #tables = new Map<string, Table>();

  /** @throws SagaboxError `Configuration` */
  constructor(given: Readonly<Record<string, TestTable>> = {}) {
    for (const [name, { key, items = [] }] of Object.entries(given)) {
      const isKey = Array.isArray(key) && key.length > 0 && key.length < 3;
      if (!isKey) throw wrongTable(name, `its key is ${describeValue(key)}`);
      const table: Table = { name, key, items: new Map() };
      for (const [index, item] of items.entries()) {
        const problem = attributesProblem(item, `items[${index}]`);
        if (problem !== undefined) throw wrongTable(name, problem);
        try {
          table.items.set(keyOf(table, item), storedItem(item));
        } catch (error) {
          throw error instanceof Refused
            ? wrongTable(name, `items[${index}] is refused: ${error.message}`)
            : error;
        }
      }
      this.#tables.set(name, table);
    }
  }

  /** @throws SagaboxError `Configuration` for a table that was not given */
  table(name: string): Table {
    const table = this.#tables.get(name);
    if (table) return table;
    const known = [...this.#tables.keys()].join(', ') || 'none';
    throw wrongTable(name, `the test gives no such table (known: ${known})`);
  }

  /** @throws SagaboxError `Configuration` for a table that was not given */
  items(name: string): readonly Item[] {
    return [...this.table(name).items.values()].map((item) => structuredClone(item));
  }

  /**
   * Writes all items, or none.
   *
   * @throws SagaboxError `TransactionConditionFailed`; `RequestRejected` for what DynamoDB refuses; `Configuration`
   *   for what the test kit does not evaluate
   */
  write(items: readonly TransactWriteItem[]): void {
    const changes: (() => void)[] = [];
    for (const [index, item] of items.entries()) {
      const write = (item.Put ?? item.Update ?? item.Delete ?? item.ConditionCheck) as Write;
      const { TableName: tableName = '', ConditionExpression: condition } = write;
      const table = this.#tables.get(tableName);
      if (table === undefined) {
        if (condition !== undefined)
          changes.push(() => this.unevaluated.push({ tableName, expression: condition }));
        continue;
      }
      const change = evaluated(tableName, `Write ${index}, added with transaction.add,`, () =>
        changeOf(table, item, write),
      );
      if (change === undefined) throw new SagaboxError('TransactionConditionFailed', { index, tableName });
      changes.push(change);
    }
    for (const change of changes) change();
  }
}

/** Undefined if the condition does not hold. @throws Refused, NotEvaluated */
function changeOf(table: Table, item: TransactWriteItem, write: Write): (() => unknown) | undefined {
  const placeholders = placeholdersOf(write);
  const key = keyOf(table, write.Item ?? write.Key ?? {});
  assertOnlyKey(table, write.Key);
  const found = table.items.get(key);
  const { ConditionExpression: condition, UpdateExpression: update } = write;
  if (condition !== undefined && !holds(condition, found, placeholders)) return undefined;
  if (item.Delete) return () => table.items.delete(key);
  if (item.ConditionCheck) {
    if (condition === undefined) throw new Refused('a ConditionCheck needs a ConditionExpression');
    return () => {};
  }
  if (item.Update && update === undefined) throw new Refused('an Update needs an UpdateExpression');
  const next =
    update === undefined ? write.Item : updated(update, found ?? write.Key ?? {}, table.key, placeholders);
  const stored = storedItem(next ?? {});
  return () => table.items.set(key, stored);
}

/** Source: "Quotas in Amazon DynamoDB". */
const MAX_EXPRESSION_BYTES = 4096;

/** What the expressions of a call are read with. @throws Refused for placeholders that none of them uses */
export function placeholdersOf(call: Expressions): Placeholders {
  const { ExpressionAttributeNames: names, ExpressionAttributeValues: values } = call;
  const expressions = Object.entries(call).filter(([option]) => option.endsWith('Expression'));
  const used: readonly string[] =
    expressions
      .map(([, text]) => text)
      .join(' ')
      .match(/[:#]\w+/g) ?? [];
  for (const [option, expression = ''] of expressions) {
    const bytes = Buffer.byteLength(expression as string);
    if (bytes > MAX_EXPRESSION_BYTES)
      throw new Refused(`${option} has ${bytes} bytes, over ${MAX_EXPRESSION_BYTES}`);
  }
  for (const [option, given] of Object.entries({
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  })) {
    const placeholders = given && Object.keys(given);
    if (placeholders?.length === 0) throw new Refused(`${option} is empty`);
    const unused = placeholders?.filter((name) => !used.includes(name)) ?? [];
    if (unused.length > 0) throw new Refused(`${unused.join(', ')} of ${option} is in no expression`);
  }
  return { names: names ?? {}, values: values ?? {} };
}

/** Source: "Quotas in Amazon DynamoDB". */
const MAX_KEY_BYTES = [2048, 1024];

/** Alike for equal keys. @throws Refused for an item without the key of its table */
export function keyOf({ key }: Table, item: Item): string {
  const values = key.map((attribute, index) =>
    keyValue(attribute, item[attribute], MAX_KEY_BYTES[index] ?? 0),
  );
  return JSON.stringify(values);
}

function keyValue(
  attribute: string,
  value: AttributeValue | undefined,
  maxBytes: number,
): readonly unknown[] {
  const { S, N, B } = value ?? {};
  if (N !== undefined) return ['N', decimalText(decimalOf(N))];
  const bytes = S !== undefined ? Buffer.from(S) : Buffer.from(B ?? []);
  if (bytes.byteLength === 0) throw new Refused(`an item lacks '${attribute}' of the key, or has it empty`);
  if (bytes.byteLength > maxBytes) throw new Refused(`'${attribute}' of a key has over ${maxBytes} bytes`);
  return S !== undefined ? ['S', S] : ['B', bytes.toString('base64')];
}

/** @throws Refused */
export function assertOnlyKey({ key }: Table, given: Item = {}): void {
  const others = Object.keys(given).filter((name) => !key.includes(name));
  if (others.length > 0) throw new Refused(`a Key has ${others.join(', ')}, which is not in the key`);
}

function evaluated<T>(tableName: string, what: string, evaluate: () => T): T {
  try {
    return evaluate();
  } catch (error) {
    if (error instanceof Refused)
      throw new SagaboxError('RequestRejected', {
        detail: `${what} on table '${tableName}': ${error.message}`,
      });
    throw error instanceof NotEvaluated ? notEvaluated(tableName, what, error) : error;
  }
}

export function notEvaluated(tableName: string, what: string, { message }: NotEvaluated) {
  return wrongTable(tableName, `the test kit does not evaluate ${what}: ${message}`);
}

function wrongTable(name: string, problem: string): SagaboxError<'Configuration'> {
  const remedy = 'See "Your own tables" in docs/guide/testing.md, or test with a DynamoDB engine';
  return configurationError(`the test kit: tables['${name}']`, problem, remedy);
}

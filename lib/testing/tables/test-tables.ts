import type { AttributeValue, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { configurationError, SagaboxError } from '../../core/failures/errors.ts';
import { describeValue } from '../../core/failures/thrown.ts';
import { attributesProblem } from '../../core/storage/attribute-problem.ts';
import { holds } from './condition.ts';
import { decimalOf, decimalText } from './decimal.ts';
import { NotEvaluated } from './expression-tokens.ts';
import type { Item, Placeholders } from './operands.ts';
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

interface Table {
  readonly key: TestTable['key'];
  readonly items: Map<string, Item>;
}

/** One write of `transaction.add`. */
interface Write {
  readonly TableName: string | undefined;
  readonly Key?: Item | undefined;
  readonly Item?: Item | undefined;
  readonly UpdateExpression?: string | undefined;
  readonly ConditionExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Item | undefined;
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
      const table: Table = { key, items: new Map() };
      for (const [index, item] of items.entries()) {
        const problem = attributesProblem(item, `items[${index}]`);
        if (problem !== undefined) throw wrongTable(name, problem);
        table.items.set(this.#keyOf(name, table, item), structuredClone(item));
      }
      this.#tables.set(name, table);
    }
  }

  /** @throws SagaboxError `Configuration` for a table that was not given */
  items(name: string): readonly Item[] {
    const table = this.#tables.get(name);
    if (table) return [...table.items.values()].map((item) => structuredClone(item));
    throw wrongTable(
      name,
      `the test gives no such table (known: ${[...this.#tables.keys()].join(', ') || 'none'})`,
    );
  }

  /**
   * Writes all items, or none.
   *
   * @throws SagaboxError `TransactionConditionFailed`; `Configuration` for what the test kit does not evaluate
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
      assertTaken(tableName, table, write);
      const key = this.#keyOf(tableName, table, write.Item ?? write.Key ?? {});
      const found = table.items.get(key);
      const placeholders = {
        names: write.ExpressionAttributeNames ?? {},
        values: write.ExpressionAttributeValues ?? {},
      };
      if (
        condition !== undefined &&
        !evaluated(tableName, condition, () => holds(condition, found, placeholders))
      )
        throw new SagaboxError('TransactionConditionFailed', { index, tableName });
      const next = item.Update ? updatedItem(tableName, table, write, found, placeholders) : write.Item;
      if (next) changes.push(() => table.items.set(key, structuredClone(next)));
      else if (item.Delete) changes.push(() => table.items.delete(key));
    }
    for (const change of changes) change();
  }

  #keyOf(name: string, { key }: Table, item: Item): string {
    const values = key.map((attribute) => evaluated(name, attribute, () => keyValue(item[attribute])));
    if (values.includes(undefined)) throw wrongTable(name, `an item of it lacks the key (${key.join(', ')})`);
    return JSON.stringify(values);
  }
}

/** Alike for equal keys; undefined for what is none. */
function keyValue({ S, N, B }: Partial<AttributeValue> = {}): readonly unknown[] | undefined {
  if (S) return ['S', S];
  if (B?.length) return ['B', Buffer.from(B).toString('base64')];
  return N === undefined ? undefined : ['N', decimalText(decimalOf(N))];
}

/** What DynamoDB refuses before it reads the item. */
function assertTaken(tableName: string, { key }: Table, write: Write): void {
  const others = Object.keys(write.Key ?? {}).filter((name) => !key.includes(name));
  if (others.length > 0)
    throw wrongTable(tableName, `a Key has ${others.join(', ')}, which is not in the key`);
  const { ConditionExpression = '', UpdateExpression = '' } = write;
  const used: readonly string[] = `${ConditionExpression} ${UpdateExpression}`.match(/[:#]\w+/g) ?? [];
  for (const option of ['ExpressionAttributeNames', 'ExpressionAttributeValues'] as const) {
    const given = write[option] && Object.keys(write[option]);
    if (given?.length === 0) throw wrongTable(tableName, `${option} is empty: DynamoDB refuses that`);
    const unused = given?.filter((name) => !used.includes(name)) ?? [];
    if (unused.length > 0)
      throw wrongTable(
        tableName,
        `${unused.join(', ')} of ${option} is in no expression: DynamoDB refuses that`,
      );
  }
}

function updatedItem(
  tableName: string,
  { key }: Table,
  write: Write,
  found: Item | undefined,
  placeholders: Placeholders,
): Item {
  const item = found ?? write.Key ?? {};
  const { UpdateExpression: expression } = write;
  return expression === undefined
    ? item
    : evaluated(tableName, expression, () => updated(expression, item, key, placeholders));
}

function evaluated<T>(tableName: string, expression: string, evaluate: () => T): T {
  try {
    return evaluate();
  } catch (error) {
    if (!(error instanceof NotEvaluated)) throw error;
    throw wrongTable(tableName, `the test kit does not evaluate "${expression}": ${error.message}`);
  }
}

function wrongTable(name: string, problem: string): SagaboxError<'Configuration'> {
  const remedy =
    'See "Your own tables" in docs/guide/testing.md; leave the table out to have its conditions not evaluated';
  return configurationError(`the test kit: tables['${name}']`, problem, remedy);
}

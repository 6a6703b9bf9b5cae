import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../dynamodb/item-attributes.ts';

/** The names from the attribute down to the part of it that is changed. */
type Path = readonly string[];

type Test = { readonly path: Path } & ({ readonly is: AttributeValue } | { readonly exists: boolean });

/** A statement of PartiQL. */
export interface Statement {
  readonly Statement: string;
  readonly Parameters: AttributeValue[];
}

/** The changes and conditions of an update of an item, as an expression and as a statement of PartiQL. */
export class UpdateBuilder {
  readonly #sets: { readonly path: Path; readonly value: AttributeValue }[] = [];
  readonly #removes: Path[] = [];
  readonly #tests: Test[] = [];
  /** The parts that only an expression can say, given its placeholders. */
  readonly #expressions: ((of: Placeholders) => { readonly set?: string; readonly condition?: string })[] =
    [];

  set(path: Path, value: AttributeValue): void {
    this.#sets.push({ path, value });
  }

  remove(path: Path): void {
    this.#removes.push(path);
  }

  requireValue(path: Path, is: AttributeValue): void {
    this.#tests.push({ path, is });
  }

  require(path: Path, exists: boolean): void {
    this.#tests.push({ path, exists });
  }

  add(expression: (of: Placeholders) => { readonly set?: string; readonly condition?: string }): void {
    this.#expressions.push(expression);
  }

  get expressions() {
    const of = new Placeholders();
    const added = this.#expressions.map((expression) => expression(of));
    const sets = [
      ...this.#sets.map(({ path, value }) => `${of.path(path)} = ${of.value(value)}`),
      ...added.flatMap(({ set }) => set ?? []),
    ];
    const removes = this.#removes.map((path) => of.path(path));
    const conditions = [
      ...this.#tests.map((test) => expressionOf(test, of)),
      ...added.flatMap(({ condition }) => (condition ? `(${condition})` : [])),
    ];
    const clauses = [
      sets.length > 0 && `SET ${sets.join(', ')}`,
      removes.length > 0 && `REMOVE ${removes.join(', ')}`,
    ];
    return {
      UpdateExpression: clauses.filter((clause) => clause !== false).join(' '),
      ConditionExpression: conditions.join(' AND '),
      ...of.attributes,
    };
  }

  /**
   * Returns the update as a statement; `undefined` for an update that not every engine carries out alike as a
   * statement: engines differ in how several attributes are removed. Source: "PartiQL update statements for
   * DynamoDB".
   */
  statement(tableName: string, key: Item): Statement | undefined {
    if (this.#removes.length > 1 || this.#expressions.length > 0) return undefined;
    const sets = this.#sets.map(({ path }) => `${quoted(path)} = ?`).join(', ');
    const clauses = [
      `UPDATE "${tableName}"`,
      ...(sets === '' ? [] : [`SET ${sets}`]),
      ...this.#removes.map((path) => `REMOVE ${quoted(path)}`),
      `WHERE ${[...Object.keys(key).map((name) => `"${name}" = ?`), ...this.#tests.map(statementOf)].join(' AND ')}`,
    ];
    const tested = this.#tests.flatMap((test) => ('is' in test ? test.is : []));
    const Parameters = [...this.#sets.map(({ value }) => value), ...Object.values(key), ...tested];
    return { Statement: clauses.join(' '), Parameters };
  }

  /**
   * Returns the update as a statement that inserts an item; `undefined` for an update of an existing item.
   */
  insertion(tableName: string, key: Item): Statement | undefined {
    const sets = [
      ...Object.entries(key),
      ...this.#sets.map(({ path, value }) => [path[0] ?? '', value] as const),
    ];
    const isOfNew = this.#tests.length === 1 && this.#expressions.length === 0;
    if (!isOfNew) return undefined;
    const names = sets.map(([name]) => `'${name.replaceAll("'", "''")}': ?`);
    const text = `INSERT INTO "${tableName}" VALUE {${names.join(', ')}}`;
    return { Statement: text, Parameters: sets.map(([, value]) => value) };
  }
}

/** The placeholders of the names and values of an expression. */
export class Placeholders {
  readonly #names = new Map<string, string>();
  readonly #values: Item = {};

  path(path: Path): string {
    return path.map((name) => this.#name(name)).join('.');
  }

  value(value: AttributeValue): string {
    const placeholder = `:v${Object.keys(this.#values).length}`;
    this.#values[placeholder] = value;
    return placeholder;
  }

  get attributes() {
    return {
      ExpressionAttributeNames: Object.fromEntries([...this.#names].map(([name, place]) => [place, name])),
      // DynamoDB refuses an empty map.
      ...(Object.keys(this.#values).length > 0 && { ExpressionAttributeValues: this.#values }),
    };
  }

  #name(name: string): string {
    const known = this.#names.get(name);
    if (known) return known;
    const placeholder = `#n${this.#names.size}`;
    this.#names.set(name, placeholder);
    return placeholder;
  }
}

function expressionOf(test: Test, of: Placeholders): string {
  const path = of.path(test.path);
  if ('is' in test) return `${path} = ${of.value(test.is)}`;
  return `${test.exists ? 'attribute_exists' : 'attribute_not_exists'}(${path})`;
}

function statementOf(test: Test): string {
  if ('is' in test) return `${quoted(test.path)} = ?`;
  return `${quoted(test.path)} IS ${test.exists ? 'NOT MISSING' : 'MISSING'}`;
}

function quoted(path: Path): string {
  return path.map((name) => `"${name.replaceAll('"', '""')}"`).join('.');
}

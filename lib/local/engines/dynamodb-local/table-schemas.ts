/** An index, as far as it decides on what a write takes. */
export interface TableIndex {
  readonly name: string;
  readonly keyNames: readonly string[];
  /** Whole items, or these attributes beside the keys. */
  readonly projected: 'all' | readonly string[];
}

export interface TableSchema {
  readonly keyNames: readonly string[];
  readonly indexes: readonly TableIndex[];
}

/** Asks the engine. */
export type CallEngine = (operation: string, request: object) => Promise<Readonly<Record<string, unknown>>>;

interface Described {
  readonly KeySchema?: readonly { readonly AttributeName: string }[];
  readonly GlobalSecondaryIndexes?: readonly DescribedIndex[];
  readonly LocalSecondaryIndexes?: readonly DescribedIndex[];
}

interface DescribedIndex extends Pick<Described, 'KeySchema'> {
  readonly IndexName: string;
  readonly Projection: { readonly ProjectionType: string; readonly NonKeyAttributes?: readonly string[] };
}

/** The schemas of the engine's tables, each asked for once. */
export class TableSchemas {
  readonly #call: CallEngine;
  readonly #schemas = new Map<string, Promise<TableSchema>>();

  constructor(call: CallEngine) {
    this.#call = call;
  }

  of(tableName: string): Promise<TableSchema> {
    const known = this.#schemas.get(tableName);
    if (known !== undefined) return known;
    const asked = this.#ask(tableName);
    this.#schemas.set(tableName, asked);
    const forget = () => this.forget(tableName);
    // A table that is not there yet, or a call that failed, is asked for again.
    asked.then(({ keyNames }) => keyNames.length === 0 && forget(), forget);
    return asked;
  }

  /** Forgets a table that is deleted: another one may get its name. */
  forget(tableName: string): void {
    this.#schemas.delete(tableName);
  }

  async #ask(tableName: string): Promise<TableSchema> {
    const { Table: table = {} } = (await this.#call('DescribeTable', { TableName: tableName })) as {
      Table?: Described;
    };
    return {
      keyNames: namesOf(table),
      indexes: [...(table.GlobalSecondaryIndexes ?? []), ...(table.LocalSecondaryIndexes ?? [])].map(
        (index) => ({
          name: index.IndexName,
          keyNames: namesOf(index),
          projected: projectedBy(index),
        }),
      ),
    };
  }
}

function projectedBy({ Projection: { ProjectionType: type, NonKeyAttributes: names = [] } }: DescribedIndex) {
  return type === 'ALL' ? 'all' : names;
}

function namesOf({ KeySchema: keys = [] }: Pick<Described, 'KeySchema'>): string[] {
  return keys.map(({ AttributeName: name }) => name);
}

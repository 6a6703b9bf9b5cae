/** A write or a condition check of a request, on one item. */
export interface RequestedWrite<Item> {
  readonly kind: 'Put' | 'Update' | 'Delete' | 'ConditionCheck';
  readonly tableName: string;
  /** Of a put. */
  readonly item?: Item;
  /** Of all others. */
  readonly key?: Item;
  /** What an update or a condition names. */
  readonly values?: Item;
}

interface Write<Item> {
  readonly TableName: string;
  readonly Item?: Item;
  readonly Key?: Item;
  readonly ExpressionAttributeValues?: Item;
}

interface BatchedWrite<Item> {
  readonly PutRequest?: { readonly Item: Item };
  readonly DeleteRequest?: { readonly Key: Item };
}

/** The input of one operation, or the `UnprocessedItems` of a batch as its `RequestItems`. */
interface WriteInput<Item> extends Partial<Write<Item>> {
  readonly RequestItems?: Readonly<Record<string, readonly BatchedWrite<Item>[]>>;
  readonly TransactItems?: readonly Readonly<Partial<Record<RequestedWrite<Item>['kind'], Write<Item>>>>[];
}

/** The writes that a request asks for, in its order; none of an operation that reads. */
export function requestedWrites<Item>(operation: string, input: WriteInput<Item>): RequestedWrite<Item>[] {
  switch (operation) {
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return [writeOf(operation.replace(/Item$/, ''), input)];
    case 'TransactWriteItems':
      return (input.TransactItems ?? []).flatMap((one) =>
        Object.entries(one).map(([kind, write]) => writeOf(kind, write)),
      );
    case 'BatchWriteItem':
      return Object.entries(input.RequestItems ?? {}).flatMap(([TableName, batch]) =>
        batch.map(({ PutRequest: put, DeleteRequest: remove }) =>
          put ? writeOf('Put', { TableName, ...put }) : writeOf('Delete', { TableName, ...remove }),
        ),
      );
    default:
      return [];
  }
}

function writeOf<Item>(kind: string, write: Partial<Write<Item>>): RequestedWrite<Item> {
  const { TableName: tableName = '', Item: item, Key: key, ExpressionAttributeValues: values } = write;
  return {
    kind: kind as RequestedWrite<Item>['kind'],
    tableName,
    ...(item && { item }),
    ...(key && { key }),
    ...(values && { values }),
  };
}

import {
  DescribeTableCommand,
  type DynamoDBClient,
  GetItemCommand,
  type TableDescription,
} from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../capacity/measured/recorded-call.ts';
import { requestedWrites } from '../../../capacity/measured/requested-writes.ts';
import { keyNamesOf, type WrittenItem } from './written-units.ts';

/**
 * Makes a call that writes, and reads its items before and after it.
 *
 * Another call may change them in between: then the units that follow are those of other images, which is the
 * price of an engine that does not tell them.
 *
 * @param input the request in the form of the SDK
 */
export async function withWrittenItems<T>(
  client: DynamoDBClient,
  { operation, input }: { readonly operation: string; readonly input: object },
  write: () => Promise<T>,
): Promise<{ readonly result: T; readonly written: readonly WrittenItem[] }> {
  const writes = requestedWrites<Item>(operation, input);
  const tables = new Map<string, TableDescription>();
  for (const { tableName } of writes) {
    if (!tables.has(tableName)) tables.set(tableName, await describe(client, tableName));
  }
  const requested = writes.map(({ tableName, item = {}, key }) => {
    const table = tables.get(tableName) ?? {};
    return { tableName, table, key: key ?? keyIn(item, table) };
  });
  const images = (): Promise<(Item | undefined)[]> =>
    Promise.all(
      requested.map(async ({ tableName: TableName, key: Key }) => {
        const get = new GetItemCommand({ TableName, Key, ConsistentRead: true });
        return (await client.send(get).catch(none))?.Item;
      }),
    );
  const before = await images();
  const result = await write();
  const after = await images();
  const written = requested.map(({ tableName, table }, index) => ({
    tableName,
    table,
    before: before[index],
    after: after[index],
  }));
  return { result, written };
}

async function describe(client: DynamoDBClient, tableName: string): Promise<TableDescription> {
  const answer = await client.send(new DescribeTableCommand({ TableName: tableName })).catch(none);
  return answer?.Table ?? {};
}

/** What refuses a call of ours refuses the call that it is made for, too. */
const none = (): undefined => undefined;

function keyIn(item: Item, { KeySchema: keys }: TableDescription): Item {
  return Object.fromEntries(Object.entries(item).filter(([name]) => keyNamesOf(keys).includes(name)));
}

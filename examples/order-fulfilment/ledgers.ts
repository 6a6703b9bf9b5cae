import { type DynamoDBClient, paginateScan } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';

/** All items of a table. */
export async function readTable(
  client: DynamoDBClient,
  tableName: string | undefined,
): Promise<Record<string, unknown>[]> {
  const items: Record<string, unknown>[] = [];
  for await (const { Items: page = [] } of paginateScan(
    { client },
    { TableName: tableName, ConsistentRead: true },
  )) {
    items.push(...page.map((item) => unmarshall(item)));
  }
  return items;
}

/** The counter of each order in a ledger table. */
export async function readLedger(
  client: DynamoDBClient,
  tableName: string | undefined,
  counter: string,
): Promise<Map<string, number>> {
  const items = await readTable(client, tableName);
  return new Map(items.map((item) => [String(item.orderId), Number(item[counter])]));
}

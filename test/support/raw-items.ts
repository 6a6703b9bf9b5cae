import {
  type AttributeValue,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  paginateScan,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';

export type Item = Record<string, AttributeValue>;

/** All items of a table as DynamoDB has them, by their sort keys within their partition keys. */
export async function allItems(client: DynamoDBClient, tableName: string): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of paginateScan({ client }, { TableName: tableName, ConsistentRead: true })) {
    items.push(...(page.Items ?? []));
  }
  const key = (item: Item) => `${item.PK?.S}\n${item.SK?.S}`;
  return items.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/** The items of one partition, by their sort keys. */
export async function itemsOf(
  client: DynamoDBClient,
  tableName: string,
  partition: string,
): Promise<Map<string, Item>> {
  const items = (await allItems(client, tableName)).filter((item) => item.PK?.S === partition);
  return new Map(items.map((item) => [item.SK?.S ?? '', item]));
}

export async function putItem(client: DynamoDBClient, tableName: string, item: Item): Promise<void> {
  await client.send(new PutItemCommand({ TableName: tableName, Item: item }));
}

export async function deleteItem(
  client: DynamoDBClient,
  tableName: string,
  PK: string,
  SK: string,
): Promise<void> {
  await client.send(new DeleteItemCommand({ TableName: tableName, Key: { PK: { S: PK }, SK: { S: SK } } }));
}

/** Sets one attribute of an item that exists, or removes it. */
export async function changeItem(
  client: DynamoDBClient,
  tableName: string,
  [PK, SK]: readonly [string, string],
  name: string,
  value: AttributeValue | undefined,
): Promise<void> {
  await client.send(
    new UpdateItemCommand({
      TableName: tableName,
      Key: { PK: { S: PK }, SK: { S: SK } },
      UpdateExpression: value === undefined ? 'REMOVE #name' : 'SET #name = :value',
      ConditionExpression: 'attribute_exists(PK)',
      ExpressionAttributeNames: { '#name': name },
      ...(value === undefined ? {} : { ExpressionAttributeValues: { ':value': value } }),
    }),
  );
}

/** The key of an item that is the only one of its partition. */
export function keyOf(partition: string): Item {
  return { PK: { S: partition }, SK: { S: 'x' } };
}

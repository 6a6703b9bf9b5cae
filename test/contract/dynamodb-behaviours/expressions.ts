import { UpdateItemCommand, type UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../support/raw-items.ts';
import type { Behaviour, Bench } from './behaviour.ts';
import { attributesOf, outcomeOf, put, read } from './observations.ts';

const updates = 'Using update expressions in DynamoDB';

type Update = Omit<UpdateItemCommandInput, 'TableName' | 'Key'>;

/** What an update makes of the attributes of an item, besides its key, or the name of its refusal. */
async function updated(bench: Bench, attributes: Item | undefined, update: Update): Promise<unknown> {
  const key = bench.newKey();
  if (attributes) await put(bench, { ...key, ...attributes });
  const command = new UpdateItemCommand({ TableName: bench.tableName, Key: key, ...update });
  const outcome = await outcomeOf(bench.client.send(command));
  if (outcome !== 'accepted') return outcome;
  return attributesOf(await read(bench, key));
}

export const expressions: readonly Behaviour[] = [
  {
    states: 'a REMOVE of an attribute that is not there is accepted',
    source: updates,
    observe: async (bench) => await updated(bench, { a: { S: 'a' } }, { UpdateExpression: 'REMOVE lease' }),
    onDynamoDB: { a: { S: 'a' } },
  },
  {
    states: 'a REMOVE on an item that is not there creates it',
    source: 'UpdateItem',
    observe: async (bench) => await updated(bench, undefined, { UpdateExpression: 'REMOVE lease' }),
    onDynamoDB: {},
  },
  {
    states: 'an update returns the whole new item with ALL_NEW',
    source: 'UpdateItem',
    observe: async (bench) => {
      const key = bench.newKey();
      await put(bench, { ...key, state: { M: { total: { N: '7' } } } });
      const command = new UpdateItemCommand({
        TableName: bench.tableName,
        Key: key,
        UpdateExpression: 'SET lease = :lease',
        ExpressionAttributeValues: { ':lease': { S: 'mine' } },
        ReturnValues: 'ALL_NEW',
      });
      const { Attributes } = await bench.client.send(command);
      return [Attributes?.PK?.S === key.PK?.S, attributesOf(Attributes)];
    },
    onDynamoDB: [true, { state: { M: { total: { N: '7' } } }, lease: { S: 'mine' } }],
  },
  {
    states: 'a name or a value that no expression uses is refused',
    source: 'Expression attribute names (aliases) in DynamoDB',
    observe: async (bench) => [
      await updated(
        bench,
        {},
        { UpdateExpression: 'REMOVE a', ExpressionAttributeNames: { '#unused': 'a' } },
      ),
      await updated(
        bench,
        {},
        { UpdateExpression: 'REMOVE a', ExpressionAttributeValues: { ':unused': { S: 'a' } } },
      ),
    ],
    onDynamoDB: ['ValidationException', 'ValidationException'],
  },
  {
    states: 'a reserved word is refused as a name, and accepted behind an alias',
    source: 'Reserved words in DynamoDB',
    observe: async (bench) => [
      await updated(bench, {}, { UpdateExpression: 'REMOVE owner' }),
      await updated(
        bench,
        {},
        { UpdateExpression: 'REMOVE #owner', ExpressionAttributeNames: { '#owner': 'owner' } },
      ),
    ],
    onDynamoDB: ['ValidationException', {}],
  },
];

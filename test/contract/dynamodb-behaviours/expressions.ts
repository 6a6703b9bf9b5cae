import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { Behaviour } from './behaviour.ts';
import { attributesOf, put } from './observations.ts';
import { updated } from './updated.ts';

const updates = 'Using update expressions in DynamoDB';

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

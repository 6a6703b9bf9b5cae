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
    states: 'a SET below a map that is not there is refused',
    source: updates,
    observe: async (bench) =>
      await updated(
        bench,
        {},
        {
          UpdateExpression: 'SET pending.#key = :entry',
          ExpressionAttributeNames: { '#key': 'a-b_c' },
          ExpressionAttributeValues: { ':entry': { S: 'entry' } },
        },
      ),
    onDynamoDB: 'ValidationException',
  },
  {
    states: 'a SET below a map that is there adds one entry and leaves the others',
    source: updates,
    observe: async (bench) =>
      await updated(
        bench,
        { pending: { M: { old: { S: 'old' } } } },
        {
          UpdateExpression: 'SET pending.#key = :entry',
          ExpressionAttributeNames: { '#key': 'a-b_c' },
          ExpressionAttributeValues: { ':entry': { S: 'entry' } },
        },
      ),
    onDynamoDB: { pending: { M: { old: { S: 'old' }, 'a-b_c': { S: 'entry' } } } },
  },
  {
    states: 'a REMOVE of an attribute that is not there is accepted',
    source: updates,
    observe: async (bench) => await updated(bench, { a: { S: 'a' } }, { UpdateExpression: 'REMOVE lease' }),
    onDynamoDB: { a: { S: 'a' } },
  },
  {
    states: 'a REMOVE of an entry that a map does not have is accepted',
    source: updates,
    observe: async (bench) =>
      await updated(bench, { pending: { M: {} } }, { UpdateExpression: 'REMOVE pending.absent' }),
    onDynamoDB: { pending: { M: {} } },
  },
  {
    states: 'a REMOVE below a map that is not there is refused',
    source: updates,
    observe: async (bench) => await updated(bench, {}, { UpdateExpression: 'REMOVE pending.absent' }),
    onDynamoDB: 'ValidationException',
    difference: 'removes-below-nothing',
    instead: { dynoxide: {} },
  },
  {
    states: 'a REMOVE on an item that is not there creates it',
    source: 'UpdateItem',
    observe: async (bench) => await updated(bench, undefined, { UpdateExpression: 'REMOVE lease' }),
    onDynamoDB: {},
  },
  {
    states: 'an attribute is set to the sum of another one and a value: the expiry of a tombstone',
    source: updates,
    observe: async (bench) =>
      await updated(
        bench,
        { updatedAt: { N: '1767225600' } },
        {
          UpdateExpression: 'SET ExpiresAt = updatedAt + :period REMOVE lease',
          ExpressionAttributeValues: { ':period': { N: '604800' } },
        },
      ),
    onDynamoDB: { updatedAt: { N: '1767225600' }, ExpiresAt: { N: '1767830400' } },
  },
  {
    states: 'every clause sees the item as it was before the update',
    source: updates,
    observe: async (bench) =>
      await updated(
        bench,
        { a: { N: '1' }, b: { N: '2' }, c: { N: '3' } },
        {
          UpdateExpression: 'SET a = b, b = a, d = c REMOVE c',
        },
      ),
    onDynamoDB: { a: { N: '2' }, b: { N: '1' }, d: { N: '3' } },
  },
  {
    states: 'if_not_exists keeps what is there, and else takes another attribute',
    source: updates,
    observe: async (bench) => {
      const update = { UpdateExpression: 'SET changeover = if_not_exists(changeover, updatedAt)' };
      return [
        await updated(bench, { updatedAt: { N: '2' } }, update),
        await updated(bench, { updatedAt: { N: '2' }, changeover: { N: '1' } }, update),
      ];
    },
    onDynamoDB: [
      { updatedAt: { N: '2' }, changeover: { N: '2' } },
      { updatedAt: { N: '2' }, changeover: { N: '1' } },
    ],
  },
  {
    states: 'arithmetic on an attribute that is not there, or is no number, is refused',
    source: updates,
    observe: async (bench) => {
      const update = {
        UpdateExpression: 'SET version = version + :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      };
      return [await updated(bench, {}, update), await updated(bench, { version: { S: '1' } }, update)];
    },
    onDynamoDB: ['ValidationException', 'ValidationException'],
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
    states: 'two paths of which one leads to the other are refused in one update',
    source: updates,
    observe: async (bench) =>
      await updated(
        bench,
        { pending: { M: {} } },
        {
          UpdateExpression: 'SET pending = :empty, pending.a = :empty',
          ExpressionAttributeValues: { ':empty': { M: {} } },
        },
      ),
    onDynamoDB: 'ValidationException',
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

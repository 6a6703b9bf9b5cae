import { type ConditionalCheckFailedException, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../support/raw-items.ts';
import type { Behaviour } from './behaviour.ts';
import { attributesOf, put, refusalOf } from './observations.ts';
import { updated } from './updated.ts';

const updates = 'Using update expressions in DynamoDB';
const conditions = 'Condition and filter expressions, operators, and functions in DynamoDB';
const refused = 'ConditionalCheckFailedException';
const invalid = 'ValidationException';

const entry = { S: 'entry' };
const pendingOf = (...keys: string[]): Item => ({
  pending: { M: Object.fromEntries(keys.map((key) => [key, entry])) },
});
const isThere = { ConditionExpression: 'attribute_exists(pending.a)' };
const set = { UpdateExpression: 'SET pending.a = :entry', ExpressionAttributeValues: { ':entry': entry } };
const remove = { UpdateExpression: 'REMOVE pending.a' };

/** What items that keep a map of entries rely on: those of sagas with an embedded outbox. */
export const mapPaths: readonly Behaviour[] = [
  {
    states: 'a SET of an entry adds it to its map, or replaces it, and leaves the others',
    source: updates,
    observe: async (bench) => [
      await updated(bench, pendingOf(), set),
      await updated(bench, pendingOf('a', 'b'), set),
    ],
    onDynamoDB: [pendingOf('a'), pendingOf('a', 'b')],
  },
  {
    states: 'a SET of an entry is not valid where its map, or the item, is missing',
    source: updates,
    observe: async (bench) => [await updated(bench, {}, set), await updated(bench, undefined, set)],
    onDynamoDB: [invalid, invalid],
  },
  {
    states: 'a REMOVE of an entry is not valid where its map is missing',
    source: updates,
    observe: async (bench) => await updated(bench, {}, remove),
    onDynamoDB: invalid,
    difference: 'removes-below-missing-maps',
    instead: { dynoxide: {} },
  },
  {
    states: 'a condition that does not hold is told before an entry whose map is missing',
    source: conditions,
    observe: async (bench) => [
      await updated(bench, {}, { ...set, ...isThere }),
      await updated(bench, {}, { ...remove, ...isThere }),
      await updated(bench, undefined, { ...remove, ...isThere }),
    ],
    onDynamoDB: [refused, refused, refused],
  },
  {
    states: 'a REMOVE takes several entries at once, accepts one that is missing, and leaves the empty map',
    source: updates,
    observe: async (bench) => {
      const removeBoth = { UpdateExpression: 'REMOVE pending.a, pending.b' };
      return [
        await updated(bench, pendingOf('a', 'b', 'c'), removeBoth),
        await updated(bench, pendingOf('a', 'b'), removeBoth),
        await updated(bench, pendingOf('b', 'c'), removeBoth),
      ];
    },
    onDynamoDB: [pendingOf('c'), pendingOf(), pendingOf('c')],
  },
  {
    states: 'an update that names an entry twice, or an entry and a part of it, is not valid',
    source: updates,
    observe: async (bench) => [
      await updated(bench, pendingOf('a'), { UpdateExpression: 'REMOVE pending.a, pending.a' }),
      await updated(bench, pendingOf('a'), { UpdateExpression: 'REMOVE pending, pending.a' }),
      await updated(bench, pendingOf('a'), {
        ...set,
        UpdateExpression: 'SET pending.a = :entry REMOVE pending.a',
      }),
    ],
    onDynamoDB: [invalid, invalid, invalid],
  },
  {
    states:
      'the size of a map is the number of its entries before the update, and that of a missing one is none',
    source: conditions,
    observe: async (bench) => {
      const sizeIs = (comparison: string) => ({
        UpdateExpression: 'REMOVE pending.a',
        ConditionExpression: `size(pending) ${comparison} :one`,
        ExpressionAttributeValues: { ':one': { N: '1' } },
      });
      return [
        await updated(bench, pendingOf('a'), sizeIs('=')),
        await updated(bench, pendingOf('a', 'b'), sizeIs('=')),
        await updated(bench, pendingOf('a', 'b'), sizeIs('<>')),
        await updated(bench, {}, sizeIs('=')),
      ];
    },
    onDynamoDB: [pendingOf(), refused, pendingOf('b'), refused],
  },
  {
    states: 'a SET computes a value from another attribute, as it was before the update',
    source: updates,
    observe: async (bench) =>
      await updated(
        bench,
        { updatedAt: { N: '1767225600' } },
        {
          UpdateExpression: 'SET ExpiresAt = updatedAt + :period, updatedAt = :period',
          ExpressionAttributeValues: { ':period': { N: '604800' } },
        },
      ),
    onDynamoDB: { updatedAt: { N: '604800' }, ExpiresAt: { N: '1767830400' } },
  },
  {
    states: 'a refused update by a path returns the item as it is, with its maps',
    source: 'UpdateItem',
    observe: async (bench) => {
      const Key = bench.newKey();
      await put(bench, { ...Key, ...pendingOf('b'), lease: { M: { owner: { S: 'me' } } } });
      const command = new UpdateItemCommand({
        TableName: bench.tableName,
        Key,
        ...remove,
        ...isThere,
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      });
      const refusal = await refusalOf<ConditionalCheckFailedException>(bench.client.send(command));
      return attributesOf(refusal?.Item);
    },
    onDynamoDB: { ...pendingOf('b'), lease: { M: { owner: { S: 'me' } } } },
  },
];

import {
  type ConditionalCheckFailedException,
  DeleteItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Item } from '../../support/raw-items.ts';
import type { Behaviour, Bench } from './behaviour.ts';
import { attributesOf, outcomeOf, put, read, refusalOf } from './observations.ts';

const refused = 'ConditionalCheckFailedException';
const isNew = 'attribute_not_exists(PK)';

function putNew({ client, tableName }: Bench, item: Item) {
  return client.send(new PutItemCommand({ TableName: tableName, Item: item, ConditionExpression: isNew }));
}

/** Takes the lease of an item as the package does, at the time 100. */
async function acquire({ client, tableName }: Bench, key: Item): Promise<string> {
  const command = new UpdateItemCommand({
    TableName: tableName,
    Key: key,
    UpdateExpression: 'SET #lease = :lease',
    ConditionExpression:
      'attribute_not_exists(#version) AND (attribute_not_exists(#lease) OR #lease.#until < :now)',
    ExpressionAttributeNames: { '#version': 'version', '#lease': 'lease', '#until': 'until' },
    ExpressionAttributeValues: { ':lease': leaseUntil(200), ':now': { N: '100' } },
  });
  return await outcomeOf(client.send(command));
}

const leaseUntil = (time: number) => ({ M: { owner: { S: 'me' }, until: { N: String(time) } } });

/** Whether a condition holds for an item. */
async function holds(bench: Bench, attributes: Item, condition: string, values: Item): Promise<boolean> {
  const key = bench.newKey();
  await put(bench, { ...key, ...attributes });
  const command = new UpdateItemCommand({
    TableName: bench.tableName,
    Key: key,
    UpdateExpression: 'SET checked = :true',
    ConditionExpression: condition,
    ExpressionAttributeValues: { ...values, ':true': { BOOL: true } },
  });
  return (await outcomeOf(bench.client.send(command))) === 'accepted';
}

export const conditions: readonly Behaviour[] = [
  {
    states: 'PutItem under attribute_not_exists stores an item once, and is refused from then on',
    source: 'PutItem',
    observe: async (bench) => {
      const key = bench.newKey();
      const first = await outcomeOf(putNew(bench, { ...key, a: { S: 'first' } }));
      const second = await outcomeOf(putNew(bench, { ...key, a: { S: 'second' } }));
      return [first, second, (await read(bench, key))?.a?.S];
    },
    onDynamoDB: ['accepted', refused, 'first'],
  },
  {
    states: 'of many puts of one new item at once, exactly one is accepted',
    source: 'Amazon DynamoDB Transactions: How it works',
    observe: async (bench) => {
      const key = bench.newKey();
      const outcomes = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(putNew(bench, key))));
      return outcomes.filter((outcome) => outcome === 'accepted').length;
    },
    onDynamoDB: 1,
  },
  {
    states:
      'a refused PutItem, UpdateItem and DeleteItem returns the item, whole, when it is asked for with ALL_OLD',
    source: 'Condition and filter expressions, operators, and functions in DynamoDB',
    observe: async (bench) => {
      const Key = bench.newKey();
      await put(bench, { ...Key, lease: leaseUntil(7), bytes: { B: Uint8Array.of(0, 255) } });
      const asked = {
        TableName: bench.tableName,
        ConditionExpression: isNew,
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      } as const;
      const calls = [
        bench.client.send(new PutItemCommand({ ...asked, Item: Key })),
        bench.client.send(new UpdateItemCommand({ ...asked, Key })),
        bench.client.send(new DeleteItemCommand({ ...asked, Key })),
      ];
      const refusals = await Promise.all(
        calls.map((call) => refusalOf<ConditionalCheckFailedException>(call)),
      );
      return refusals.map((refusal) => attributesOf(refusal?.Item));
    },
    onDynamoDB: Array(3).fill({ lease: leaseUntil(7), bytes: { B: Uint8Array.of(0, 255) } }),
  },
  {
    states: 'a refusal returns no item when it is not asked for, and none when there is none',
    source: 'PutItem',
    observe: async (bench) => {
      const key = bench.newKey();
      const missing = await refusalOf<ConditionalCheckFailedException>(
        bench.client.send(
          new UpdateItemCommand({
            TableName: bench.tableName,
            Key: key,
            ConditionExpression: 'attribute_exists(PK)',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        ),
      );
      await put(bench, key);
      const unasked = await refusalOf<ConditionalCheckFailedException>(putNew(bench, key));
      return [missing, unasked].map((refusal) => [refusal?.name, refusal?.Item]);
    },
    onDynamoDB: [
      [refused, undefined],
      [refused, undefined],
    ],
  },
  {
    states: 'UpdateItem under a condition on missing attributes creates the item that is not there',
    source: 'UpdateItem',
    observe: async (bench) => {
      const key = bench.newKey();
      return [await acquire(bench, key), Object.keys((await read(bench, key)) ?? {}).sort()];
    },
    onDynamoDB: ['accepted', ['PK', 'SK', 'lease']],
  },
  {
    states: 'a lease is taken when it is free or over, and refused when it is held or its item has a version',
    source: 'Condition and filter expressions, operators, and functions in DynamoDB',
    observe: async (bench) => {
      const items: Item[] = [
        {},
        { lease: leaseUntil(99) },
        { lease: leaseUntil(100) },
        { lease: leaseUntil(99), version: { N: '1' } },
      ];
      return await Promise.all(
        items.map(async (attributes) => {
          const key = bench.newKey();
          await put(bench, { ...key, ...attributes });
          return await acquire(bench, key);
        }),
      );
    },
    onDynamoDB: ['accepted', 'accepted', refused, refused],
  },
  {
    states: 'a comparison with an attribute, or a path, that is missing does not hold',
    source: 'Condition and filter expressions, operators, and functions in DynamoDB',
    observe: async (bench) => [
      await holds(bench, {}, 'dispatched = :false', { ':false': { BOOL: false } }),
      await holds(bench, {}, 'lease.expiry < :now', { ':now': { N: '1' } }),
      await holds(bench, { lease: { M: {} } }, 'lease.expiry < :now', { ':now': { N: '1' } }),
      await holds(bench, { lease: { S: 'text' } }, 'lease.expiry < :now', { ':now': { N: '1' } }),
    ],
    onDynamoDB: [false, false, false, false],
  },
  {
    states: 'values of different types are never equal, and numbers are compared as numbers',
    source: 'Condition and filter expressions, operators, and functions in DynamoDB',
    observe: async (bench) => [
      await holds(bench, { version: { S: '1' } }, 'version = :one', { ':one': { N: '1' } }),
      await holds(bench, { version: { N: '1' } }, 'version = :one', { ':one': { N: '1.0' } }),
      await holds(bench, { version: { N: '9' } }, 'version < :ten', { ':ten': { N: '10' } }),
    ],
    onDynamoDB: [false, true, true],
  },
  {
    states: 'DeleteItem of an item that is not there is accepted without a condition, and refused under one',
    source: 'DeleteItem',
    observe: async (bench) => {
      const { client, tableName: TableName } = bench;
      const condition = { ConditionExpression: 'attribute_exists(PK)' };
      return [
        await outcomeOf(client.send(new DeleteItemCommand({ TableName, Key: bench.newKey() }))),
        await outcomeOf(client.send(new DeleteItemCommand({ TableName, Key: bench.newKey(), ...condition }))),
      ];
    },
    onDynamoDB: ['accepted', refused],
  },
  {
    states: 'keys are case sensitive',
    source: 'Supported data types and naming rules in Amazon DynamoDB',
    observe: async (bench) => {
      const { PK, SK } = bench.newKey();
      await put(bench, { PK: { S: `${PK?.S}a` }, SK: SK as { S: string } });
      return await read(bench, { PK: { S: `${PK?.S}A` }, SK: SK as { S: string } });
    },
    onDynamoDB: undefined,
  },
];

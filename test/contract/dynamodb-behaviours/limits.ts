import { type AttributeValue, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import type { Behaviour, Bench } from './behaviour.ts';
import { outcomeOf, put, read, sized, stored } from './observations.ts';

const itemBytes = 400 * 1024;
const twoSides = ['accepted', 'ValidationException'];

const putOutcome = ({ client, tableName }: Bench, Item: Record<string, AttributeValue>) =>
  outcomeOf(client.send(new PutItemCommand({ TableName: tableName, Item })));

/** Of so many levels: maps and lists, one in another, and a text in the last one. */
function nested(levels: number): AttributeValue {
  let value: AttributeValue = { S: 'end' };
  for (let level = 1; level < levels; level += 1) {
    value = level % 2 === 0 ? { M: { a: value } } : { L: [value] };
  }
  return value;
}

async function kept(bench: Bench, value: AttributeValue): Promise<AttributeValue | undefined> {
  const key = bench.newKey();
  await put(bench, { ...key, value });
  return (await read(bench, key))?.value;
}

async function keptNumber(bench: Bench, N: string): Promise<string | undefined> {
  return (await kept(bench, { N }))?.N;
}

/** Puts a key that has so many bytes, and one with a byte more. */
async function keysOfBytes(bench: Bench, attribute: 'PK' | 'SK', bytes: number): Promise<unknown> {
  const withBytes = (count: number) => {
    const S = 'é'.repeat(count / 2) + 'x'.repeat(count % 2);
    return putOutcome(bench, { ...bench.newKey(), [attribute]: { S } });
  };
  return [await withBytes(bytes), await withBytes(bytes + 1)];
}

export const limits: readonly Behaviour[] = [
  {
    states: 'an item may have 400 KB, names and values together, not a byte more',
    source: 'Constraints in Amazon DynamoDB',
    observe: async (bench) => [
      await putOutcome(bench, sized(bench.newKey(), itemBytes)),
      await putOutcome(bench, sized(bench.newKey(), itemBytes + 1)),
    ],
    onDynamoDB: twoSides,
  },
  {
    states:
      'an update that makes an item larger than 400 KB is refused, one that leaves it 100 bytes smaller is not',
    source: 'Constraints in Amazon DynamoDB',
    observe: async (bench) => {
      const key = await stored(bench, itemBytes - 1_000);
      const growBy = (bytes: number) =>
        outcomeOf(
          bench.client.send(
            new UpdateItemCommand({
              TableName: bench.tableName,
              Key: key,
              UpdateExpression: 'SET a = :a',
              ExpressionAttributeValues: { ':a': { S: 'x'.repeat(bytes - 'a'.length) } },
            }),
          ),
        );
      return [await growBy(900), await growBy(1_001)];
    },
    onDynamoDB: twoSides,
  },
  {
    states: 'a partition key may have 2,048 bytes',
    source: 'Constraints in Amazon DynamoDB',
    observe: (bench) => keysOfBytes(bench, 'PK', 2048),
    onDynamoDB: twoSides,
  },
  {
    states: 'a sort key may have 1,024 bytes',
    source: 'Constraints in Amazon DynamoDB',
    observe: (bench) => keysOfBytes(bench, 'SK', 1024),
    onDynamoDB: twoSides,
  },
  {
    states: 'a key may not be empty',
    source: 'PutItem',
    observe: async (bench) => [
      await putOutcome(bench, { ...bench.newKey(), PK: { S: '' } }),
      await putOutcome(bench, { ...bench.newKey(), SK: { S: '' } }),
    ],
    onDynamoDB: ['ValidationException', 'ValidationException'],
  },
  {
    states: 'empty strings, binaries, lists and maps are kept; empty sets are refused',
    source: 'Supported data types and naming rules in Amazon DynamoDB',
    observe: async (bench) => {
      const empty: AttributeValue[] = [{ S: '' }, { B: new Uint8Array() }, { L: [] }, { M: {} }];
      return [
        await Promise.all(empty.map((value) => kept(bench, value))),
        await putOutcome(bench, { ...bench.newKey(), value: { SS: [] } }),
      ];
    },
    onDynamoDB: [[{ S: '' }, { B: new Uint8Array() }, { L: [] }, { M: {} }], 'ValidationException'],
  },
  {
    states: 'a binary comes back byte by byte',
    source: 'Supported data types and naming rules in Amazon DynamoDB',
    observe: async (bench) => {
      const value = await kept(bench, { B: Uint8Array.from({ length: 256 }, (_, byte) => byte) });
      return value?.B?.every((byte, index) => byte === index) && value.B.length;
    },
    onDynamoDB: 256,
  },
  {
    states: 'an item may be nested 32 levels deep, not 33',
    source: 'Constraints in Amazon DynamoDB',
    observe: async (bench) => [
      await putOutcome(bench, { ...bench.newKey(), value: nested(32) }),
      await putOutcome(bench, { ...bench.newKey(), value: nested(33) }),
    ],
    onDynamoDB: twoSides,
  },
  {
    states: 'a number may have 38 significant digits, not 39, and keeps them all',
    source: 'Constraints in Amazon DynamoDB',
    observe: async (bench) => [
      await keptNumber(bench, '1'.repeat(38)),
      await putOutcome(bench, { ...bench.newKey(), value: { N: '1'.repeat(39) } }),
    ],
    onDynamoDB: ['1'.repeat(38), 'ValidationException'],
  },
  {
    states: 'a number may be from 1E-130 to 9.9999999999999999999999999999999999999E+125',
    source: 'Constraints in Amazon DynamoDB',
    observe: async (bench) =>
      await Promise.all(
        ['1E-130', '1E-131', '9.9999999999999999999999999999999999999E+125', '1E+126'].map((N) =>
          putOutcome(bench, { ...bench.newKey(), value: { N } }),
        ),
      ),
    onDynamoDB: [...twoSides, ...twoSides],
  },
  {
    states: 'leading and trailing zeroes of a number are trimmed',
    source: 'Supported data types and naming rules in Amazon DynamoDB',
    observe: async (bench) =>
      await Promise.all(['007', '1.50', '-0', '0.0', '+5', '1700000000000'].map((N) => keptNumber(bench, N))),
    onDynamoDB: ['7', '1.5', '0', '0', '5', '1700000000000'],
  },
  {
    states: 'a number that is written with an exponent comes back with all of its digits',
    source: 'Supported data types and naming rules in Amazon DynamoDB',
    observe: async (bench) =>
      await Promise.all(
        ['1e2', '1.5E+25', '1e-7', '-95293714466492646055e7'].map((N) => keptNumber(bench, N)),
      ),
    onDynamoDB: ['100', '15000000000000000000000000', '0.0000001', '-952937144664926460550000000'],
  },
];

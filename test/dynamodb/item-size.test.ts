import {
  type AttributeValue,
  DeleteItemCommand,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readUnits, writeUnits } from '../../lib/dynamodb/capacity-units.ts';
import { itemSize, numberSize } from '../../lib/dynamodb/item-size.ts';
import { anyAttributes, anyNumber } from '../support/attribute-values.ts';
import { differs } from '../support/engine-differences.ts';
import { createTable, dynamoDBClient } from '../support/engines.ts';
import { sampled, samples } from '../support/samples.ts';

const client = dynamoDBClient();

let tableName: string;
beforeAll(async () => {
  tableName = await createTable();
});

const KILOBYTE = 1024;

/** The size of an item on the engine of this run. */
function sizeHere(item: Record<string, AttributeValue>): number {
  if (!differs('number-sizes')) return itemSize(item);
  const surplus = numbersIn({ M: item }).map((text) => numberSize(text) - numberSizeOfDynoxide(text));
  return itemSize(item) - surplus.reduce((sum, bytes) => sum + bytes, 0);
}

/**
 * It pairs the significant digits on each side of the point apart, from the first one of the side, where
 * DynamoDB Local pairs them from the point: `110` is 2 bytes and not 3, and so is `0.012`.
 */
function numberSizeOfDynoxide(text: string): number {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().replace(/^[+-]/, '').split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '').length;
  if (significant === 0) return 1;
  const point = digits.length - fraction.length + Number(exponent);
  const before = Math.min(Math.max(point, 0), significant);
  const pairs = Math.ceil(before / 2) + Math.ceil((significant - before) / 2);
  return 1 + pairs + (text.startsWith('-') ? 1 : 0);
}

/** The numbers of a value, wherever they are in it. */
function numbersIn(value: AttributeValue): string[] {
  if (value.N !== undefined) return [value.N];
  return value.NS ?? (value.L ?? Object.values(value.M ?? {})).flatMap(numbersIn);
}

let keys = 0;

/** What the engine takes for a new item with these attributes, filled up to a size. */
async function unitsOfPut(attributes: Record<string, AttributeValue>, bytes: number) {
  const item = { ...attributes, ...newKey() };
  const command = new PutItemCommand({
    TableName: tableName,
    Item: { ...item, pad: { S: padOf(item, bytes) } },
    ReturnConsumedCapacity: 'TOTAL',
  });
  return (await client.send(command)).ConsumedCapacity?.CapacityUnits;
}

/** The size is right to the byte when one unit more is due just one byte further. */
async function expectSizeOfDynamoDB(attributes: Record<string, AttributeValue>): Promise<void> {
  const kilobytes = Math.ceil((sizeHere(attributes) + 100) / KILOBYTE);
  expect(await unitsOfPut(attributes, kilobytes * KILOBYTE)).toBe(kilobytes);
  expect(await unitsOfPut(attributes, kilobytes * KILOBYTE + 1)).toBe(kilobytes + 1);
}

const items = samples(400);
/** So many calls are under way at once. */
const atATime = 20;

interface SizedItem {
  readonly attributes: Record<string, AttributeValue>;
  /** Of the item, and of what it becomes by the update. */
  readonly bytes: number;
  readonly bytesAfter: number;
  readonly consistentRead: boolean;
}

/** At the boundaries of units, to both sides, and anywhere between. */
const anySize = fc
  .tuple(
    fc.integer({ min: 1, max: 9 }),
    fc.oneof(fc.constantFrom(-1, 0, 1), fc.integer({ min: -500, max: 500 })),
  )
  .map(([kilobytes, offset]) => kilobytes * KILOBYTE + offset);

const anySizedItem: fc.Arbitrary<SizedItem> = fc.record({
  attributes: anyAttributes,
  bytes: anySize,
  bytesAfter: anySize,
  consistentRead: fc.boolean(),
});

/** Another key each time, of the same length: the item that a put replaces would count too. */
function newKey(): Record<string, AttributeValue> {
  keys += 1;
  return { PK: { S: `item-${String(keys).padStart(8, '0')}` }, SK: { S: 'S' } };
}

/** What fills an item up to a size; nothing for one that is larger already. */
function padOf(item: Record<string, AttributeValue>, bytes: number): string {
  return 'x'.repeat(Math.max(0, bytes - sizeHere({ ...item, pad: { S: '' } })));
}

async function expectUnitsOfDynamoDB({
  attributes,
  bytes,
  bytesAfter,
  consistentRead,
}: SizedItem): Promise<void> {
  const Key = newKey();
  const item = { ...attributes, ...Key };
  const before = { ...item, pad: { S: padOf(item, bytes) } };
  const after = { ...item, pad: { S: padOf(item, bytesAfter) } };
  const common = { TableName: tableName, ReturnConsumedCapacity: 'TOTAL' } as const;
  const put = await client.send(new PutItemCommand({ ...common, Item: before }));
  const get = await client.send(new GetItemCommand({ ...common, Key, ConsistentRead: consistentRead }));
  const update = await client.send(
    new UpdateItemCommand({
      ...common,
      Key,
      UpdateExpression: 'SET #pad = :pad',
      ExpressionAttributeNames: { '#pad': 'pad' },
      ExpressionAttributeValues: { ':pad': after.pad },
    }),
  );
  const remove = await client.send(new DeleteItemCommand({ ...common, Key }));
  const reported = [put, get, update, remove].map(({ ConsumedCapacity }) => ConsumedCapacity?.CapacityUnits);
  const [sizeBefore, sizeAfter] = [sizeHere(before), sizeHere(after)];
  expect(reported).toEqual([
    writeUnits(sizeBefore),
    readUnits(sizeBefore, consistentRead),
    writeUnits(Math.max(sizeBefore, sizeAfter)),
    writeUnits(sizeAfter),
  ]);
}

describe('the size of an item', () => {
  it('decides on what random items take: put, get, update and delete', async () => {
    const property = fc.asyncProperty(
      fc.array(anySizedItem, { minLength: atATime, maxLength: atATime }),
      async (all) => {
        await Promise.all(all.map(expectUnitsOfDynamoDB));
      },
    );
    await fc.assert(property, { ...sampled(1), numRuns: items / atATime, endOnFailure: true });
  });

  it('is the one that DynamoDB bills, for values of every type', async () => {
    await fc.assert(fc.asyncProperty(anyAttributes, expectSizeOfDynamoDB), sampled(250));
  });

  it('is the one that DynamoDB bills, for numbers of every shape', async () => {
    const property = fc.asyncProperty(anyNumber, (N) => expectSizeOfDynamoDB({ n: { N } }));
    await fc.assert(property, sampled(250));
  });

  it.each<[AttributeValue, number]>([
    [{ S: '' }, 0],
    [{ S: 'abc' }, 3],
    [{ S: 'é' }, 2],
    [{ S: '€' }, 3],
    [{ S: '😀' }, 4],
    [{ B: new Uint8Array() }, 0],
    [{ B: Uint8Array.of(1, 2, 3) }, 3],
    [{ BOOL: true }, 1],
    [{ BOOL: false }, 1],
    [{ NULL: true }, 1],
    [{ L: [] }, 3],
    [{ L: [{ S: 'ab' }, { S: '' }] }, 3 + (1 + 2) + (1 + 0)],
    [{ M: {} }, 3],
    [{ M: { name: { S: 'ab' } } }, 3 + (1 + 4 + 2)],
    [{ M: { a: { L: [{ M: {} }] } } }, 3 + (1 + 1 + (3 + (1 + 3)))],
    [{ SS: ['a', 'é'] }, 3],
    [{ NS: ['1', '-123'] }, 2 + 4],
    [{ BS: [Uint8Array.of(1), Uint8Array.of(1, 2)] }, 3],
  ])('counts %j as its bytes and the name', async (value, bytes) => {
    expect(itemSize({ v: value })).toBe(1 + bytes);
    expect(itemSize({ 'é€': value })).toBe(5 + bytes);
    await expectSizeOfDynamoDB({ v: value });
  });

  it.each([
    ['0', 1],
    ['-0', 1],
    ['0.000', 1],
    ['1', 2],
    ['-1', 3],
    ['12', 2],
    ['123', 3],
    ['1.2', 3],
    ['1.23', 3],
    ['12.34', 3],
    ['0.12', 2],
    ['0.012', 3],
    ['100', 2],
    ['1000', 2],
    ['007', 2],
    ['1.50', 3],
    ['1e10', 2],
    ['1E+11', 2],
    ['1.5e-11', 2],
    ['1e125', 2],
    ['-1e-130', 3],
    ['99999999999999999999999999999999999999', 20],
    ['-1234567890123456789012345678901234567', 21],
  ])('counts two digits of the number %s as a byte, in pairs from its point: %i bytes', async (N, bytes) => {
    expect(itemSize({ n: { N } })).toBe(1 + bytes);
    await expectSizeOfDynamoDB({ n: { N } });
  });

  it('is never smaller than on an engine that pairs digits in another way, and at most a byte larger for each number', () => {
    fc.assert(
      fc.property(anyNumber, (text) => {
        expect([0, 1]).toContain(numberSize(text) - numberSizeOfDynoxide(text));
      }),
      sampled(2_000),
    );
  });

  it('is the sum over its attributes', () => {
    const item = { PK: { S: 'SAGA#OrderSaga#42' }, version: { N: '3' } };
    expect(itemSize({})).toBe(0);
    expect(itemSize(item)).toBe(2 + 17 + 7 + 2);
  });
});

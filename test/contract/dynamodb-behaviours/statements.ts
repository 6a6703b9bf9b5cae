import { type AttributeValue, BatchExecuteStatementCommand } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../support/raw-items.ts';
import type { Behaviour, Bench } from './behaviour.ts';
import { attributesOf, outcomeOf, put, read } from './observations.ts';

const batch = 'BatchExecuteStatement';
const updating = 'PartiQL update statements for DynamoDB';
const inserting = 'PartiQL insert statements for DynamoDB';
const refused = 'ConditionalCheckFailed';

/** `text` has a `?` for each of the values, and `TABLE` and `KEY` where they stand; the key comes behind `before`. */
interface Statement {
  readonly text: string;
  readonly key: Item;
  readonly before?: readonly AttributeValue[];
  readonly after?: readonly AttributeValue[];
}

function execute(
  { client, tableName }: Pick<Bench, 'client' | 'tableName'>,
  statements: readonly Statement[],
) {
  const Statements = statements.map(({ text, key, before = [], after = [] }) => ({
    Statement: text.replace('TABLE', `"${tableName}"`).replace('KEY', '"PK" = ? AND "SK" = ?'),
    Parameters: [...before, ...Object.values(key), ...after] as AttributeValue[],
  }));
  return client.send(new BatchExecuteStatementCommand({ Statements, ReturnConsumedCapacity: 'TOTAL' }));
}

/** What each statement leaves of its item, besides its key, with the code of its refusal. */
async function executed(bench: Bench, ...asked: (Statement & { readonly on?: Item | undefined })[]) {
  for (const { key, on } of asked) if (on) await put(bench, { ...key, ...on });
  const { Responses = [] } = await execute(bench, asked);
  const items = await Promise.all(asked.map(async ({ key }) => attributesOf(await read(bench, key))));
  return asked.map((_, index) => {
    const code = Responses[index]?.Error?.Code;
    return code === undefined ? items[index] : [code, items[index]];
  });
}

const N = (value: number): AttributeValue => ({ N: String(value) });
const commitId = { B: Uint8Array.of(0, 255, 7) };
const saga = { version: N(3), commitId, pending: { M: { 'a-_9': N(1) } } };
const next = 'UPDATE TABLE SET "version" = ? WHERE KEY AND "version" = ? AND "commitId" = ?';

/** Those of PartiQL by which several items are written in one call. */
export const statements: readonly Behaviour[] = [
  {
    states: 'each statement of a batch is carried out or refused by itself, in order',
    source: batch,
    observe: async (bench) => {
      const one = (on: Item | undefined, read = 3) => ({
        text: next,
        on,
        key: bench.newKey(),
        before: [N(4)],
        after: [N(read), commitId],
      });
      return await executed(bench, one(saga), one(saga, 2), one(undefined), one(saga));
    },
    onDynamoDB: [
      { ...saga, version: N(4) },
      [refused, saga],
      [refused, undefined],
      { ...saga, version: N(4) },
    ],
  },
  {
    states: 'a statement sets several attributes, and entries of maps, whose names are quoted',
    source: updating,
    observe: async (bench) => {
      const key = bench.newKey();
      const text =
        'UPDATE TABLE SET "version" = ?, "pending"."-b_" = ?, "it""s" = ? WHERE KEY AND "version" = ?';
      return await executed(bench, { text, key, on: saga, before: [N(4), N(2), N(5)], after: [N(3)] });
    },
    onDynamoDB: [{ ...saga, version: N(4), pending: { M: { 'a-_9': N(1), '-b_': N(2) } }, 'it"s': N(5) }],
  },
  {
    states: 'a statement sets attributes and removes one',
    source: updating,
    observe: async (bench) => {
      const text = 'UPDATE TABLE SET "version" = ? REMOVE "lease" WHERE KEY AND "lease"."owner" = ?';
      const lease = (S: string) => ({ ...saga, lease: { M: { owner: { S } } } });
      const one = (on: Item) => ({ text, on, key: bench.newKey(), before: [N(4)], after: [{ S: 'me' }] });
      return await executed(bench, one(lease('me')), one(lease('other')), one(saga));
    },
    onDynamoDB: [
      { ...saga, version: N(4) },
      [refused, { ...saga, lease: { M: { owner: { S: 'other' } } } }],
      [refused, saga],
    ],
  },
  {
    states: 'IS MISSING and IS NOT MISSING are conditions on attributes and on entries of maps',
    source: 'Use PartiQL operators with DynamoDB',
    observe: async (bench) => {
      const remove = 'UPDATE TABLE REMOVE "pending"."a-_9" WHERE KEY AND';
      const one = (condition: string, on?: Item) => ({
        text: `${remove} ${condition}`,
        on,
        key: bench.newKey(),
      });
      return await executed(
        bench,
        one('"pending"."a-_9" IS NOT MISSING', saga),
        one('"pending"."a-_9" IS NOT MISSING', { pending: { M: {} } }),
        one('"pending"."a-_9" IS NOT MISSING', { version: N(3) }),
        one('"pending"."a-_9" IS NOT MISSING'),
        one('"state" IS NOT MISSING', saga),
        one('"state" IS MISSING', saga),
        one('"version" IS MISSING', saga),
      );
    },
    onDynamoDB: [
      { ...saga, pending: { M: {} } },
      [refused, { pending: { M: {} } }],
      [refused, { version: N(3) }],
      [refused, undefined],
      [refused, saga],
      { ...saga, pending: { M: {} } },
      [refused, saga],
    ],
  },
  {
    states: 'an INSERT adds an item, and is refused as a duplicate where there is one, whatever it holds',
    source: inserting,
    observe: async (bench) => {
      const text = `INSERT INTO TABLE VALUE {'PK': ?, 'SK': ?, 'it''s': ?, 'pending': ?}`;
      const one = (on?: Item) => ({ text, on, key: bench.newKey(), after: [N(1), { M: {} }] });
      return await executed(bench, one(), one(saga), one({ lease: N(1) }));
    },
    onDynamoDB: [
      { "it's": N(1), pending: { M: {} } },
      ['DuplicateItem', saga],
      ['DuplicateItem', { lease: N(1) }],
    ],
  },
  {
    states: 'a batch of 25 statements is accepted, one of 26 is not',
    source: batch,
    observe: async (bench) => {
      const insert = "INSERT INTO TABLE VALUE {'PK': ?, 'SK': ?}";
      const insertions = (count: number) =>
        execute(
          bench,
          Array.from({ length: count }, () => ({ text: insert, key: bench.newKey() })),
        );
      return [await outcomeOf(insertions(25)), await outcomeOf(insertions(26))];
    },
    onDynamoDB: ['accepted', 'ValidationException'],
  },
];

import {
  type AttributeValue,
  BatchExecuteStatementCommand,
  type BatchStatementRequest,
  type BatchStatementResponse,
} from '@aws-sdk/client-dynamodb';
import type { Item } from '../../support/raw-items.ts';
import type { Behaviour, Bench } from './behaviour.ts';
import { outcomeOf, put, read, stored, unitsOf, withUnits } from './observations.ts';

const batchesOfStatements = 'Running batch operations with PartiQL for DynamoDB';
const updateStatements = 'PartiQL update statements for DynamoDB';

/** An update of one item, by what is behind its table and before its key. */
function updateOf(
  { tableName }: Bench,
  { PK, SK }: Item,
  clauses: string,
  values: AttributeValue[] = [],
  condition = '',
  conditionValues: AttributeValue[] = [],
): BatchStatementRequest {
  return {
    Statement: `UPDATE "${tableName}" ${clauses} WHERE PK = ? AND SK = ?${condition && ` AND ${condition}`}`,
    Parameters: [...values, PK as AttributeValue, SK as AttributeValue, ...conditionValues],
  };
}

const addOne = 'SET version = version + 1';
const ofVersion = (version: number): [string, AttributeValue[]] => ['version = ?', [{ N: String(version) }]];

function commitOf(bench: Bench, key: Item, readVersion: number): BatchStatementRequest {
  return updateOf(bench, key, addOne, [], ...ofVersion(readVersion));
}

async function run(
  { client }: Bench,
  Statements: BatchStatementRequest[],
): Promise<BatchStatementResponse[]> {
  return (await client.send(new BatchExecuteStatementCommand({ Statements }))).Responses ?? [];
}

async function codesOf(bench: Bench, statements: BatchStatementRequest[]): Promise<(string | undefined)[]> {
  return (await run(bench, statements)).map(({ Error: error }) => error?.Code);
}

async function saga(bench: Bench, attributes: Item = {}): Promise<Item> {
  const key = bench.newKey();
  await put(bench, { ...key, version: { N: '1' }, ...attributes });
  return key;
}

const versionOf = async (bench: Bench, key: Item) => (await read(bench, key))?.version?.N;

/** What is left of the pending entries of an item after a statement, or the code of its refusal. */
async function pendingAfter(bench: Bench, clauses: string, condition = ''): Promise<unknown> {
  const pending: AttributeValue = { M: { a: { S: 'a' }, 'b-c': { S: 'b' }, d: { S: 'd' } } };
  const key = await saga(bench, { pending });
  const [code] = await codesOf(bench, [updateOf(bench, key, clauses, [], condition)]);
  return code ?? Object.keys((await read(bench, key))?.pending?.M ?? {}).toSorted();
}

export const statements: readonly Behaviour[] = [
  {
    states:
      'BatchExecuteStatement does its updates one by one: one whose condition fails has an error of its own, in its place',
    source: batchesOfStatements,
    observe: async (bench) => {
      const keys = [await saga(bench), await saga(bench), await saga(bench)] as const;
      const codes = await codesOf(bench, [
        commitOf(bench, keys[0], 1),
        commitOf(bench, keys[1], 7),
        commitOf(bench, keys[2], 1),
      ]);
      return [codes, await Promise.all(keys.map((key) => versionOf(bench, key)))];
    },
    onDynamoDB: [
      [undefined, 'ConditionalCheckFailed', undefined],
      ['2', '1', '2'],
    ],
  },
  {
    states: 'an UPDATE of an item that is not there fails its condition, and creates nothing',
    source: updateStatements,
    observe: async (bench) => {
      const key = bench.newKey();
      return [await codesOf(bench, [commitOf(bench, key, 1)]), await read(bench, key)];
    },
    onDynamoDB: [['ConditionalCheckFailed'], undefined],
  },
  {
    states: 'an UPDATE without a condition of an item that is not there fails all the same',
    source: updateStatements,
    observe: async (bench) => {
      const key = bench.newKey();
      const codes = await codesOf(bench, [updateOf(bench, key, 'SET a = 1')]);
      return [codes, await read(bench, key)];
    },
    onDynamoDB: [['ConditionalCheckFailed'], undefined],
  },
  {
    states: 'BatchExecuteStatement takes 25 statements, not 26',
    source: 'BatchExecuteStatement',
    observe: async (bench) => {
      const keys = await Promise.all(Array.from({ length: 51 }, () => saga(bench)));
      const all = keys.map((key) => commitOf(bench, key, 1));
      return [await outcomeOf(run(bench, all.slice(0, 25))), await outcomeOf(run(bench, all.slice(25)))];
    },
    onDynamoDB: ['accepted', 'ValidationException'],
  },
  {
    states: 'two statements of one item are refused as a whole, and nothing is written',
    source: batchesOfStatements,
    observe: async (bench) => {
      const [twice, once] = [await saga(bench), await saga(bench)];
      const outcome = await outcomeOf(
        run(bench, [commitOf(bench, once, 1), commitOf(bench, twice, 1), commitOf(bench, twice, 2)]),
      );
      return [outcome, await versionOf(bench, once), await versionOf(bench, twice)];
    },
    onDynamoDB: ['ValidationException', '1', '1'],
    difference: 'statements-of-one-item',
    instead: { 'DynamoDB Local': ['ValidationException', '2', '3'] },
  },
  {
    states: 'reads and writes are refused together',
    source: 'BatchExecuteStatement',
    observe: async (bench) => {
      const [written, selected] = [await saga(bench), await saga(bench)];
      const select = {
        Statement: `SELECT * FROM "${bench.tableName}" WHERE PK = ? AND SK = ?`,
        Parameters: [selected.PK as AttributeValue, selected.SK as AttributeValue],
      };
      return await outcomeOf(run(bench, [commitOf(bench, written, 1), select]));
    },
    onDynamoDB: 'ValidationException',
  },
  {
    states: 'an INSERT of an item that is there is refused with DuplicateItem',
    source: 'PartiQL insert statements for DynamoDB',
    observe: async (bench) => {
      const [existing, fresh] = [await saga(bench), bench.newKey()];
      const insert = ({ PK, SK }: Item): BatchStatementRequest => ({
        Statement: `INSERT INTO "${bench.tableName}" VALUE {'PK': ?, 'SK': ?, 'version': ?}`,
        Parameters: [PK as AttributeValue, SK as AttributeValue, { N: '5' }],
      });
      const codes = await codesOf(bench, [insert(existing), insert(fresh)]);
      return [codes, await versionOf(bench, existing), await versionOf(bench, fresh)];
    },
    onDynamoDB: [['DuplicateItem', undefined], '1', '5'],
  },
  {
    states: 'IS MISSING holds for an attribute that is not there, and not for one that is',
    source: 'PartiQL update statements for DynamoDB',
    observe: async (bench) => {
      const lock = bench.newKey();
      await put(bench, lock);
      const start = (key: Item) => updateOf(bench, key, 'SET version = 1', [], 'version IS MISSING');
      return await codesOf(bench, [start(lock), start(await saga(bench))]);
    },
    onDynamoDB: [undefined, 'ConditionalCheckFailed'],
  },
  {
    states: 'a SET may lead into a map, by a name in quotes too',
    source: updateStatements,
    observe: async (bench) => {
      const key = await saga(bench, { pending: { M: { old: { S: 'old' } } } });
      const clauses = 'SET pending."a-b" = ?, inbox = ?';
      const codes = await codesOf(bench, [
        updateOf(bench, key, clauses, [{ S: 'new' }, { B: Uint8Array.of(1) }], ...ofVersion(1)),
      ]);
      const item = await read(bench, key);
      return [codes, item?.pending?.M, item?.inbox?.B?.length];
    },
    onDynamoDB: [[undefined], { old: { S: 'old' }, 'a-b': { S: 'new' } }, 1],
  },
  {
    states: 'one REMOVE takes one entry of a map away',
    source: updateStatements,
    observe: async (bench) =>
      await pendingAfter(bench, 'REMOVE pending."b-c"', 'pending."b-c" IS NOT MISSING'),
    onDynamoDB: ['a', 'd'],
  },
  {
    states: 'two REMOVE clauses take two entries away',
    source: updateStatements,
    observe: async (bench) => await pendingAfter(bench, 'REMOVE pending.a REMOVE pending."b-c"'),
    onDynamoDB: ['d'],
    difference: 'repeated-remove-clauses',
    instead: { dynoxide: 'ValidationError' },
  },
  {
    states: 'statements take the units of the updates that they are, summed up',
    source: 'BatchExecuteStatement',
    observe: async (bench) => {
      const keys = [await stored(bench, 100), await stored(bench, 3_000)];
      const command = new BatchExecuteStatementCommand({
        Statements: keys.map((key) => updateOf(bench, key, 'SET a = 1')),
        ...withUnits,
      });
      return unitsOf((await bench.client.send(command)).ConsumedCapacity);
    },
    onDynamoDB: 1 + 3,
    difference: 'units-of-statements',
    instead: { 'DynamoDB Local': undefined },
  },
];

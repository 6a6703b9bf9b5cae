import {
  type DynamoDBClient,
  PutItemCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { CustomSagaChange, CustomSagaStore, CustomStoredSaga } from 'sagabox';
import { checkSagaStore, type SagaStoreCheckOptions } from 'sagabox/testing';
import { createTable, dynamoDBClient } from '../../support/engines.ts';
import { VersionedSagaStore } from '../../support/versioned-saga-store.ts';

interface Account {
  balance: number;
}

let client: DynamoDBClient;
let table: string;

beforeAll(async () => {
  client = dynamoDBClient();
  table = await createTable();
});

const check = (
  store: CustomSagaStore<Account>,
  options: Partial<SagaStoreCheckOptions<Account>> = {},
): Promise<string[]> =>
  checkSagaStore(store, {
    states: [{ balance: 0 }, { balance: 30 }, { balance: 12 }],
    transact: (TransactItems) => client.send(new TransactWriteItemsCommand({ TransactItems })),
    ...options,
  });

/** The store of the tests, of which one method does something else. */
function storeBut(
  change: (store: VersionedSagaStore<Account>) => Partial<CustomSagaStore<Account>>,
): CustomSagaStore<Account> {
  const store = new VersionedSagaStore<Account>(client, table);
  return {
    keepsDetails: true,
    load: (saga) => store.load(saga),
    writesOf: (written) => store.writesOf(written),
    ...change(store),
  };
}

const withoutConditions = (items: readonly TransactWriteItem[]): TransactWriteItem[] =>
  items.flatMap((item) => {
    const {
      ConditionExpression: _,
      ExpressionAttributeValues: __,
      ...write
    } = (item.Put ?? item.Delete ?? {}) as {
      ConditionExpression?: string;
      ExpressionAttributeValues?: object;
    };
    return item.ConditionCheck ? [] : [{ [item.Put ? 'Put' : 'Delete']: write }];
  });

describe('a store that does what it has to', () => {
  it('has no problem, and nothing of the check is left', async () => {
    const changes: CustomSagaChange<Account>[] = [];
    const store = new VersionedSagaStore<Account>(client, table, (change) => void changes.push(change));
    expect(await check(store)).toEqual([]);
    const ids = new Set(changes.map(({ saga }) => saga.id));
    expect(ids.size).toBe(7);
    for (const id of ids) expect(await store.load({ id })).toBeUndefined();
    expect(new Set(changes.map(({ kind }) => kind))).toEqual(
      new Set(['create', 'update', 'complete', 'check']),
    );
  });

  it('may do without conditions, if it says so', async () => {
    const store = storeBut((whole) => ({
      keepsDetails: false,
      writesOf: (change) => withoutConditions(whole.writesOf(change)),
    }));
    expect(await check(store, { hasConditions: false })).toEqual([]);
  });

  it('may do without the check of a discard', async () => {
    const store = storeBut((whole) => ({
      writesOf: (change) => (change.kind === 'check' ? [] : whole.writesOf(change)),
    }));
    expect(await check(store)).toEqual([]);
  });

  it('may have sagas that never end, whose items stay', async () => {
    const store = storeBut((whole) => ({
      writesOf(change) {
        if (change.kind === 'complete') throw new Error('It does not end');
        return whole.writesOf(change);
      },
    }));
    expect(await check(store, { ends: false, hasConditions: false, sagaName: 'Endless' })).toEqual([]);
  });
});

const latest = async ({ id }: { readonly id: string }): Promise<CustomStoredSaga<Account> | undefined> =>
  await new VersionedSagaStore<Account>(client, table).load({ id });
/** Under the condition that the guide warns of. */
const byVersion = (
  change: CustomSagaChange<Account>,
  items: readonly TransactWriteItem[],
): TransactWriteItem[] =>
  items.map((item) => {
    if (change.read === undefined) return item;
    const [[kind, write] = []] = Object.entries(item);
    return {
      [String(kind)]: {
        ...write,
        ConditionExpression: 'contains(saga, :version)',
        ExpressionAttributeValues: { ':version': { S: `"version":${change.read.details?.version},` } },
      },
    };
  });

describe('a store with a fault', () => {
  it.each<[string, (store: VersionedSagaStore<Account>) => Partial<CustomSagaStore<Account>>, string[]]>([
    [
      'no condition',
      (store) => ({ writesOf: (change) => withoutConditions(store.writesOf(change)) }),
      [
        'A saga starts once: a second start is committed',
        'A saga that another message has changed since it was read is not written: a change is committed',
        'A saga that has ended and started anew since it was read is not written: a change after its end is committed',
      ],
    ],
    [
      'a condition on the version',
      (store) => ({ writesOf: (change) => byVersion(change, store.writesOf(change)) }),
      ['A saga that has ended and started anew since it was read is not written: a change is committed'],
    ],
    [
      'a condition that a start misses',
      (store) => ({
        writesOf: (change) =>
          change.kind === 'create' ? withoutConditions(store.writesOf(change)) : store.writesOf(change),
      }),
      ['A saga starts once: a second start is committed'],
    ],
    [
      'an end that it does not write',
      (store) => ({ writesOf: (change) => (change.kind === 'complete' ? [] : store.writesOf(change)) }),
      [
        'A saga that another message has changed since it was read is not written: its end is committed',
        'Nothing is left of a saga that has ended: after its end, load returned {"balance":0}',
        'A saga that has ended and started anew since it was read is not written: a change after its end is committed',
      ],
    ],
    [
      'details that it makes up',
      () => ({
        load: async (saga) => {
          const found = await latest(saga);
          return found && { ...found, details: { version: 1, commitId: String(found.details?.commitId) } };
        },
      }),
      [
        'A saga is as the last message left it: after change 1, load returned the version 1, not 2',
        'The details of a change are kept: after its start, load returned other details [[],null], not ' +
          '[[{"id":"0b9f2c1e-7d4a-4f43-9a36-6f0c6e2d1a55","type":"Overdue","scheduled":true}],2]',
      ],
    ],
    [
      'a state that it rounds',
      () => ({
        load: async (saga) => {
          const found = await latest(saga);
          return found && { ...found, state: { balance: Math.min(found.state.balance, 20) } };
        },
      }),
      [
        'A saga is as the last message left it: after change 1, load returned the state {"balance":20}, not {"balance":30}',
        'The details of a change are kept: after a change, load returned the state {"balance":20}, not {"balance":30}',
      ],
    ],
  ])('of %s has it named', async (_what, change, problems) => {
    expect(await check(storeBut(change))).toEqual(problems);
  });

  it('that takes all sagas for one has it named', async () => {
    const shared = new VersionedSagaStore<Account>(client, table);
    await client.send(
      new PutItemCommand({
        TableName: table,
        Item: {
          PK: { S: 'OWN#one' },
          SK: { S: 'OWN' },
          saga: { S: '{"state":{"balance":7},"details":{"version":1,"commitId":"c"}}' },
        },
      }),
    );
    const problems = await check(storeBut(() => ({ load: () => shared.load({ id: 'one' }) })));
    expect(problems[0]).toBe(
      'A saga is absent until it starts: before its start, load returned {"balance":7}',
    );
    expect(problems).toHaveLength(7);
  });

  it('that fails, or returns nothing of use, has the reason named for each rule', async () => {
    const failing = await check(
      storeBut(() => ({
        load: async () => {
          throw new Error('The table is gone');
        },
      })),
    );
    expect(failing).toHaveLength(7);
    expect(failing[0]).toBe('A saga is absent until it starts: The table is gone');
    const [, second] = await check(storeBut(() => ({ writesOf: () => undefined as never })));
    expect(second).toContain('writesOf did not return an array');
  });
});

it('needs two states', async () => {
  const states = [{ balance: 0 }] as never;
  await expect(check(new VersionedSagaStore(client, table), { states })).rejects.toMatchObject({
    code: 'Configuration',
  });
});

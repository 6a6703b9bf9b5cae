import {
  type AttributeValue,
  type DynamoDBClient,
  ScanCommand,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CustomSagaChange, CustomSagaStore, CustomStoredSaga } from 'sagabox';
import { checkSagaStore, type SagaStoreCheckOptions } from 'sagabox/testing';
import { ConditionalSagaStore } from '../../support/conditional-saga-store.ts';
import { createTable, dynamoDBClient } from '../../support/engines.ts';

interface Account {
  balance: number;
}
type Store = CustomSagaStore<Account>;
type Loaded = CustomStoredSaga<Account> | undefined;

let client: DynamoDBClient;
let table: string;
let whole: ConditionalSagaStore<Account>;
let changes: CustomSagaChange<Account>[];

beforeEach(async () => {
  client = dynamoDBClient();
  table = await createTable();
  changes = [];
  whole = new ConditionalSagaStore(client, table, (change) => void changes.push(change));
});

const check = (store: Store, options: Partial<SagaStoreCheckOptions<Account>> = {}): Promise<string[]> =>
  checkSagaStore(store, {
    states: [{ balance: 0 }, { balance: 30 }, { balance: 12 }],
    transact: (TransactItems) => client.send(new TransactWriteItemsCommand({ TransactItems })),
    ...options,
  });

/** The store of the tests, of which something is otherwise. */
const storeBut = (part: Partial<Store>): Store => ({
  keepsDetails: true,
  load: (saga) => whole.load(saga),
  writesOf: (change) => whole.writesOf(change),
  ...part,
});

/** With what is loaded otherwise. */
const loading = (change: (found: CustomStoredSaga<Account>) => Loaded): Store =>
  storeBut({
    load: async (saga) => {
      const found = await whole.load(saga);
      return found && change(found);
    },
  });

/** With writes of another condition, or of none. */
const under = (
  conditionOf: (
    change: CustomSagaChange<Account>,
  ) => [expression: string, values?: Record<string, AttributeValue> | undefined] | undefined,
): Partial<Store> => ({
  writesOf: (change) =>
    whole.writesOf(change).flatMap((item): TransactWriteItem[] => {
      const [[kind, write] = []] = Object.entries(item);
      const { ConditionExpression: _, ExpressionAttributeValues: __, ...others } = write;
      const [ConditionExpression, ExpressionAttributeValues] = conditionOf(change) ?? [];
      if (ConditionExpression === undefined && item.ConditionCheck) return [];
      const condition = ConditionExpression && {
        ConditionExpression,
        ...(ExpressionAttributeValues && { ExpressionAttributeValues }),
      };
      return [{ [String(kind)]: { ...others, ...condition } }];
    }),
});

const isAbsent: [string] = ['attribute_not_exists(PK)'];
const contains = (text: string): [string, Record<string, AttributeValue>] => [
  'contains(saga, :text)',
  { ':text': { S: text } },
];
const byCommit = ({ read }: CustomSagaChange<Account>) =>
  read ? contains(`"commitId":"${read.details?.commitId}"`) : isAbsent;

const items = async () => (await client.send(new ScanCommand({ TableName: table }))).Items ?? [];

describe('a store that does what it has to', () => {
  it('has no problem, and nothing of the check is left', async () => {
    expect(await check(whole)).toEqual([]);
    expect(await items()).toEqual([]);
    expect(new Set(changes.map(({ kind }) => kind))).toEqual(
      new Set(['create', 'update', 'complete', 'check']),
    );
    expect(new Set(changes.map(({ saga }) => saga.name))).toEqual(new Set(['Checked']));
  });

  it('may have sagas that never end, whose items stay', async () => {
    const endless = storeBut({
      writesOf(change) {
        if (change.kind === 'complete') throw new Error('It does not end');
        return whole.writesOf(change);
      },
    });
    expect(await check(endless, { ends: false, sagaName: 'Endless' })).toEqual([]);
    expect(await items()).not.toEqual([]);
    expect(changes.map(({ saga }) => saga.name)).toContain('Endless');
  });

  it('may do without conditions, if it says so and keeps no details', async () => {
    const additive = storeBut({ keepsDetails: false, ...under(() => undefined) });
    expect(await check(additive, { hasConditions: false })).toEqual([]);
  });

  it('may have its condition on the value that was read, if it keeps no details', async () => {
    const byValue = under(({ read }) => (read ? contains(`"balance":${read.state.balance}}`) : isAbsent));
    expect(await check(storeBut({ keepsDetails: false, ...byValue }))).toEqual([]);
  });

  it('may do without the check of a discard', async () => {
    const unchecked = storeBut({
      writesOf: (change) => (change.kind === 'check' ? [] : whole.writesOf(change)),
    });
    expect(await check(unchecked)).toEqual([]);
  });

  it('may keep details as a map, which has no order', async () => {
    const mapped = loading(({ state, details }) => {
      const kept = unmarshall(marshall(details)) as NonNullable<typeof details>;
      return { state, details: Object.fromEntries(Object.entries(kept).toReversed()) as typeof kept };
    });
    expect(await check(mapped)).toEqual([]);
  });

  it('gets states that a mapper makes', async () => {
    const mapper = {
      toAttributes: (state: unknown) => ({ opened: { S: (state as { opened: Date }).opened.toISOString() } }),
      fromAttributes: ({ opened }: Record<string, AttributeValue>) => ({ opened: new Date(opened?.S ?? '') }),
    };
    const store: CustomSagaStore<{ opened: Date }> = {
      keepsDetails: true,
      async load(saga) {
        const found = (await whole.load(saga)) as CustomStoredSaga<{ opened: string }> | undefined;
        return found && { ...found, state: { opened: new Date(found.state.opened) } };
      },
      writesOf: (change) => whole.writesOf(change as never),
    };
    const states = [{ opened: new Date(0) }, { opened: new Date(1) }] as const;
    const transact = (TransactItems: TransactWriteItem[]) =>
      client.send(new TransactWriteItemsCommand({ TransactItems }));
    expect(await checkSagaStore(store, { states: [...states], transact, mapper })).toEqual([]);
    expect(await checkSagaStore(store, { states: [...states], transact })).not.toEqual([]);
  });
});

const changed = 'A saga that another message has changed since it was read is not written';
const changedDetails =
  'A saga of which another message has changed the details since it was read is not written';
const ended = 'A saga that has ended since it was read is not written, also if it has started anew';

describe('a store with a fault has it named', () => {
  it.each<[string, () => Store, string[]]>([
    [
      'no condition',
      () => storeBut(under(() => undefined)),
      [
        'A saga starts once: a second start is committed',
        `${changed}: a change on what was read before that is committed`,
        `${changedDetails}: a change on what was read before that is committed`,
        `${ended}: a change after its end is committed`,
      ],
    ],
    [
      'a condition on the version, which a new life has again',
      () =>
        storeBut(under(({ read }) => (read ? contains(`"version":${read.details?.version},`) : isAbsent))),
      [`${ended}: a change after its new start is committed`],
    ],
    [
      'a condition on a value, with details',
      () => storeBut(under(({ read }) => (read ? contains(`"balance":${read.state.balance}}`) : isAbsent))),
      [
        `${changedDetails}: a change on what was read before that is committed`,
        `${ended}: a change after its new start is committed`,
      ],
    ],
    [
      'a start without a condition',
      () => storeBut(under((change) => (change.kind === 'create' ? undefined : byCommit(change)))),
      ['A saga starts once: a second start is committed'],
    ],
    [
      'an end and a check that an ended saga lets through',
      () =>
        storeBut(
          under((change) => {
            const [expression, values] = byCommit(change);
            const isLoose = change.kind === 'complete' || change.kind === 'check';
            return isLoose ? [`attribute_not_exists(PK) OR ${expression}`, values] : [expression, values];
          }),
        ),
      [`${ended}: its end after its end is committed`],
    ],
    [
      'a condition on the version before, counted by itself',
      () =>
        storeBut(
          under((change) =>
            change.kind === 'update'
              ? contains(`"version":${change.details.version - 1},`)
              : byCommit(change),
          ),
        ),
      [
        'The details of a change are kept: a change is refused',
        `${ended}: a change after its new start is committed`,
      ],
    ],
    [
      'an end that it does not write',
      () => storeBut({ writesOf: (change) => (change.kind === 'complete' ? [] : whole.writesOf(change)) }),
      [
        'Sagas are kept apart by their ids: after its end, load returned {"balance":0}',
        `${changed}: its end on what was read before that is committed`,
        `${changedDetails}: its end on what was read before that is committed`,
        'Nothing is left of a saga that has ended: after its end, load returned {"balance":12}',
        `${ended}: after its end, load returned {"balance":0}`,
      ],
    ],
    [
      'a state that it rounds',
      () => loading((found) => ({ ...found, state: { balance: Math.min(found.state.balance, 20) } })),
      [
        'A saga is as the last message left it: after a change, load returned the state {"balance":20}, not {"balance":30}',
        'Sagas are kept apart by their ids: after its start, load returned the state {"balance":20}, not {"balance":30}',
        'The details of a change are kept: after a change, load returned the state {"balance":20}, not {"balance":30}',
        `${changed}: after a change, load returned the state {"balance":20}, not {"balance":30}`,
        'Nothing is left of a saga that has ended: after a change, load returned the state {"balance":20}, not {"balance":30}',
      ],
    ],
  ])('%s', async (_what, store, problems) => {
    expect(await check(store())).toEqual(problems);
  });

  it.each<[string, () => Store, string]>([
    ['another version', () => loading((found) => details(found, { version: 1 })), '{"version":1,'],
    ['another commit', () => loading((found) => details(found, { commitId: 'c' })), '"commitId":"c"'],
    ['no timeouts', () => loading((found) => details(found, { timeouts: undefined })), '"timeouts":[]'],
    [
      'no timeouts of a change',
      () => loading((found) => details(found, Number(found.details?.version) > 2 ? { timeouts: [] } : {})),
      '"timeouts":[]',
    ],
    ['no stateVersion', () => loading((found) => details(found, { stateVersion: undefined })), '"timeouts"'],
  ])('details with %s', async (_what, store, found) => {
    const problems = await check(store());
    const [problem = ''] = problems.filter((each) => each.startsWith('The details of a change are kept'));
    expect(problem).toContain('load returned the details');
    expect(problem).toContain(found);
  });

  function details(found: CustomStoredSaga<Account>, part: object): CustomStoredSaga<Account> {
    return { ...found, details: { ...found.details, ...part } as never };
  }

  it.each([
    ['one key for all sagas', () => 'one'],
    ['the beginning of the id as its key', (id: string) => id.slice(0, 36)],
  ])('%s', async (_what, keyOf) => {
    const shared = storeBut({
      load: ({ id }) => whole.load({ id: keyOf(id) }),
      writesOf: (change) =>
        whole.writesOf({ ...change, saga: { ...change.saga, id: keyOf(change.saga.id) } }),
    });
    expect(await check(shared)).toEqual([
      'Sagas are kept apart by their ids: after the start of another saga, load returned {"balance":0}',
    ]);
  });

  it('items that an end leaves behind, and that a new start finds', async () => {
    // A head, and a line for each change, of which the largest one counts.
    const line = (change: { saga: { id: string }; details: { version: number } }) => ({
      PK: { S: `OWN#${change.saga.id}` },
      SK: { S: `LINE#${change.details.version}` },
    });
    const spread = storeBut({
      async load(saga) {
        const found = await whole.load(saga);
        const lines = (await items()).filter(
          ({ PK, SK }) => PK?.S === `OWN#${saga.id}` && SK?.S?.startsWith('LINE#'),
        );
        const balances = lines.map(({ balance }) => Number(balance?.N));
        return found && { ...found, state: { balance: balances.at(-1) ?? found.state.balance } };
      },
      writesOf: (change) => [
        ...whole.writesOf(change),
        ...(change.kind === 'update'
          ? [
              {
                Put: {
                  TableName: table,
                  Item: { ...line(change), balance: { N: String(change.state.balance) } },
                },
              },
            ]
          : []),
      ],
    });
    expect(await check(spread)).toEqual([
      'Nothing is left of a saga that has ended: after its start, load returned the state {"balance":12}, not {"balance":0}',
    ]);
  });

  it('calls that fail, with the reason for each rule', async () => {
    const load = async () => {
      throw new Error('The table is gone');
    };
    const failing = await check(storeBut({ load }));
    expect(failing).toHaveLength(9);
    expect(failing[0]).toBe('A saga is absent until it starts: The table is gone');
    const [, second] = await check(storeBut({ writesOf: () => undefined as never }));
    expect(second).toContain('writesOf did not return an array');
    const transact = async () => {
      throw new Error('TransactionConflict');
    };
    expect((await check(whole, { transact }))[1]).toBe(
      'A saga is as the last message left it: transact failed: TransactionConflict',
    );
  });
});

it.each<[string, unknown, object, string]>([
  ['one state', undefined, { states: [{ balance: 0 }] }, 'two or more, each unlike the one before'],
  ['equal states', undefined, { states: [{ balance: 0 }, { balance: 0 }] }, 'each unlike the one before'],
  ['no transact', undefined, { transact: undefined }, 'transact: it is missing'],
  ['a misspelt option', undefined, { hasCondition: false }, "did you mean 'hasConditions'?"],
  ['details without conditions', undefined, { hasConditions: false }, 'hasConditions: it is false'],
  ['no store', {}, {}, 'the store'],
  ['a store that does not say what it keeps', { load() {}, writesOf() {} }, {}, 'the store.keepsDetails'],
])('refuses %s', async (_what, store, options, message) => {
  await expect(check((store ?? whole) as Store, options)).rejects.toMatchObject({
    code: 'Configuration',
    message: expect.stringContaining(message),
  });
});

it('refuses to run without options', async () => {
  await expect(checkSagaStore(whole, undefined as never)).rejects.toMatchObject({ code: 'Configuration' });
});

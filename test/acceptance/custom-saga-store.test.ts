import {
  type AttributeValue,
  type DynamoDBClient,
  paginateQuery,
  ScanCommand,
  type TransactWriteItem,
} from '@aws-sdk/client-dynamodb';
import type { Message } from '@aws-sdk/client-sqs';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import {
  type CreateHandlerOptions,
  type CustomSagaChange,
  type CustomSagaStore,
  defineSaga,
  type MessageReport,
} from 'sagabox';
import * as v from 'valibot';
import { eventRecord } from '../../lib/local/lambda/sqs-event.ts';
import { ConditionalSagaStore } from '../support/conditional-saga-store.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';
import { ClientFaults } from '../support/faults.ts';
import { drain, record } from '../support/queue.ts';
import { receiveMessages, receiveRecords } from '../support/received-records.ts';
import { returnedIds } from '../support/returned-ids.ts';

const account = v.object({ account: v.string() });
const deposited = v.object({ account: v.string(), amount: v.number() });

interface Account {
  balance: number;
  deposits: number;
}

const accountSaga = defineSaga({
  name: 'Account',
  messages: {
    Opened: account,
    Deposited: deposited,
    Asked: account,
    Reviewed: account,
    ReviewOff: account,
    Closed: account,
  },
  correlate: {
    Opened: (m) => m.account,
    Deposited: (m) => m.account,
    Asked: (m) => m.account,
    Reviewed: (m) => m.account,
    ReviewOff: (m) => m.account,
    Closed: (m) => m.account,
  },
  startedBy: ['Opened'],
  initialState: (): Account => ({ balance: 0, deposits: 0 }),
  handlers: {
    Opened() {},
    Deposited({ body }, { saga, send }) {
      saga.state.balance += body.amount;
      saga.state.deposits += 1;
      send('bank', 'Noted', { balance: saga.state.balance });
    },
    Asked({ body }, { requestTimeout }) {
      requestTimeout('Reviewed', body, { after: { milliseconds: 1 } });
    },
    Reviewed(_message, { saga }) {
      saga.state.balance += 1_000;
    },
    ReviewOff(_message, { cancelTimeout }) {
      cancelTimeout('Reviewed');
    },
    Closed(_message, { saga }) {
      saga.complete();
    },
  },
});

const parts = 3;

/** Several items, to which messages add by turns. */
class SpreadStore implements CustomSagaStore<Account> {
  readonly keepsDetails: boolean = false;
  readonly #client: DynamoDBClient;
  readonly #tableName: string;
  #count = 0;

  constructor(client: DynamoDBClient, tableName: string) {
    this.#client = client;
    this.#tableName = tableName;
  }

  async load({ id }: { id: string }) {
    const query = {
      TableName: this.#tableName,
      KeyConditionExpression: 'PK = :account',
      ExpressionAttributeValues: { ':account': { S: `SPREAD#${id}` } },
      ConsistentRead: true,
    };
    const items: Record<string, AttributeValue>[] = [];
    for await (const { Items = [] } of paginateQuery({ client: this.#client }, query)) items.push(...Items);
    if (items.length === 0) return undefined;
    const sum = (name: string) => items.reduce((total, item) => total + Number(item[name]?.N ?? 0), 0);
    return { state: { balance: sum('balance'), deposits: sum('deposits') } };
  }

  writesOf(change: CustomSagaChange<Account>): TransactWriteItem[] {
    if (change.kind === 'check' || change.kind === 'complete') return [];
    const { state, read } = change;
    const added = (name: keyof Account) => ({ N: String(state[name] - (read?.state[name] ?? 0)) });
    this.#count += 1;
    const Update = {
      TableName: this.#tableName,
      Key: { PK: { S: `SPREAD#${change.saga.id}` }, SK: { S: `PART#${this.#count % parts}` } },
      UpdateExpression: 'ADD balance :balance, deposits :deposits',
      ExpressionAttributeValues: { ':balance': added('balance'), ':deposits': added('deposits') },
    };
    return [{ Update }];
  }
}

let table: string;
let queue: string;
let bank: string;
let reports: MessageReport[];
let conflicts: number;

beforeEach(async () => {
  [table, queue, bank] = await Promise.all([createTable(), createQueue(), createQueue()]);
  reports = [];
  conflicts = 0;
});

async function deliver(
  sagaStore: CustomSagaStore<Account>,
  records: readonly SQSRecord[],
  overrides: Partial<CreateHandlerOptions> & { readonly definition?: typeof accountSaga } = {},
): Promise<string[]> {
  const { definition = accountSaga, ...options } = overrides;
  return await returnedIds(definition, table, records, {
    endpoint: 'accounts',
    destinations: { accounts: queue, bank },
    dynamoDBClient: dynamoDBClient(),
    sqsClient: sqsClient(),
    sagaStore,
    onMessage: (report) => void reports.push(report),
    onEvent({ type }) {
      if (type === 'conflict') conflicts += 1;
    },
    ...options,
  });
}

const opened = () => record('Opened', { account: '1' }, 'opened', { messageId: 'opened' });
const deposit = (id: number, amount = id) =>
  record('Deposited', { account: '1', amount }, `deposit-${id}`, { messageId: `deposit-${id}` });
const commitId = expect.any(String);
/** SQS delays by whole seconds. */
async function receivedTimeout(): Promise<SQSRecord> {
  const [message] = await receiveMessages(sqsClient(), queue, 10);
  return eventRecord(message as Message, 'arn:aws:sqs:us-east-1:000000000000:accounts');
}

const outcomes = () => reports.map(({ outcome }) => outcome);

let client: DynamoDBClient;
let store: ConditionalSagaStore<Account>;
let changes: CustomSagaChange<Account>[];

function openStore(): void {
  client = dynamoDBClient();
  changes = [];
  store = new ConditionalSagaStore(client, table, (change) => void changes.push(change));
}

/** The store, of which one method does something else. */
const brokenBy = (part: Partial<CustomSagaStore<Account>>): CustomSagaStore<Account> => ({
  keepsDetails: true,
  load: (saga) => store.load(saga),
  writesOf: (change) => store.writesOf(change),
  ...part,
});
const puts = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    Put: { TableName: table, Item: { PK: { S: `${index}` }, SK: { S: '-' } } },
  }));

describe('I1, I2, I4: a saga store of your own with a condition', () => {
  beforeEach(openStore);

  it('changes once for a message that is delivered again', async () => {
    await deliver(store, [opened()]);
    for (let delivery = 0; delivery < 3; delivery += 1) await deliver(store, [deposit(1, 5)]);
    expect(await store.load({ id: '1' })).toMatchObject({ state: { balance: 5, deposits: 1 } });
    expect(outcomes()).toEqual(['handled', 'handled', 'duplicate', 'duplicate']);
  });

  it('changes once when the answer to the commit gets lost', async () => {
    await deliver(store, [opened()]);
    const losing = dynamoDBClient();
    new ClientFaults(losing).loseAnswer('TransactWriteItems');
    expect(await deliver(store, [deposit(1, 5)], { dynamoDBClient: losing })).toEqual([]);
    expect(await store.load({ id: '1' })).toMatchObject({ state: { balance: 5, deposits: 1 } });
  });

  it('has a message handled again on what another one has written meanwhile', async () => {
    await deliver(store, [opened()]);
    const late = dynamoDBClient();
    new ClientFaults(late).plan('TransactWriteItems', async (_input, proceed) => {
      await deliver(store, [deposit(2, 20)]);
      return await proceed();
    });
    expect(await deliver(store, [deposit(1, 1)], { dynamoDBClient: late })).toEqual([]);
    expect(await store.load({ id: '1' })).toMatchObject({ state: { balance: 21, deposits: 2 } });
    expect(conflicts).toBe(1);
  });

  it('has a message handled again if the saga ends and starts anew meanwhile', async () => {
    await deliver(store, [opened()]);
    const late = dynamoDBClient();
    new ClientFaults(late).plan('TransactWriteItems', async (_input, proceed) => {
      await deliver(store, [record('Closed', { account: '1' })]);
      await deliver(store, [record('Opened', { account: '1' })]);
      return await proceed();
    });
    expect(await deliver(store, [deposit(1)], { dynamoDBClient: late })).toEqual([]);
    expect(await store.load({ id: '1' })).toMatchObject({ details: { version: 2 } });
    expect(conflicts).toBe(1);
  });

  it('has a message without a saga handled again if the saga starts meanwhile', async () => {
    const late = dynamoDBClient();
    new ClientFaults(late).plan('TransactWriteItems', async (_input, proceed) => {
      await deliver(store, [opened()]);
      return await proceed();
    });
    expect(await deliver(store, [deposit(1, 7)], { dynamoDBClient: late })).toEqual([]);
    expect(await store.load({ id: '1' })).toMatchObject({ state: { balance: 7, deposits: 1 } });
  });

  it.each<[string, () => unknown, string]>([
    ['no array', () => undefined, 'writesOf did not return an array'],
    ['a promise', () => Promise.resolve([]), 'writesOf did not return an array'],
    ['no write of DynamoDB', () => [{}], 'write 0 of writesOf is refused: it needs one of Put, Update'],
    ['a write without a table', () => [{ Delete: { Key: {} } }], 'its Delete names no table'],
    [
      'no attributes',
      () => [{ Put: { TableName: table, Item: { PK: null } } }],
      'cannot be written: Item.PK is null, without a type: use { NULL: true }',
    ],
    [
      'two writes of one item',
      () => [0, 1].map(() => ({ Delete: { TableName: table, Key: { PK: { S: '1' }, SK: { S: '-' } } } })),
      "Write 1 of the sagaStore for the 'Account' saga with id '1' is the second write of one item",
    ],
    [
      'more writes than a transaction takes',
      () => puts(100),
      '101 writes (100 added by the handler and its sagaStore, 1 by sagabox)',
    ],
  ])('fails a message, and has nothing committed, if it makes %s', async (_what, writes, message) => {
    await deliver(store, [opened()]);
    const broken = brokenBy({ writesOf: writes as () => TransactWriteItem[] });
    expect(await deliver(broken, [deposit(1)])).toEqual(['deposit-1']);
    expect(String(reports.at(-1)?.error)).toContain(message);
    expect(await store.load({ id: '1' })).toMatchObject({ details: { version: 1 } });
    expect(await deliver(store, [deposit(1)])).toEqual([]);
  });
});

describe('Behaviour: a saga store of your own with a condition', () => {
  beforeEach(openStore);

  it('keeps the saga from its start to its end, without an item in the saga table', async () => {
    expect(await deliver(store, [opened()])).toEqual([]);
    expect(await deliver(store, [deposit(1, 30)])).toEqual([]);
    expect(await deliver(store, [deposit(2, 12)])).toEqual([]);
    expect(await store.load({ id: '1' })).toEqual({
      state: { balance: 42, deposits: 2 },
      details: { version: 3, commitId },
    });
    expect((await drain(sqsClient(), bank)).map(({ body }) => body)).toEqual([
      { balance: 30 },
      { balance: 42 },
    ]);
    const { Items: items = [] } = await client.send(new ScanCommand({ TableName: table }));
    expect(items.filter(({ PK }) => PK?.S?.startsWith('SAGA#'))).toEqual([]);
    expect(await deliver(store, [record('Closed', { account: '1' })])).toEqual([]);
    expect(await store.load({ id: '1' })).toBeUndefined();
    expect(await deliver(store, [deposit(3)])).toEqual([]);
    expect(outcomes()).toEqual(['handled', 'handled', 'handled', 'handled', 'discarded']);
  });

  it('gets one change for the messages of a batch', async () => {
    await deliver(store, [opened()]);
    changes.length = 0;
    expect(
      await deliver(
        store,
        [1, 2, 3, 4, 5].map((id) => deposit(id)),
      ),
    ).toEqual([]);
    expect(changes).toEqual([
      {
        kind: 'update',
        saga: { name: 'Account', id: '1' },
        state: { balance: 15, deposits: 5 },
        details: { version: 6, commitId },
        read: { state: { balance: 0, deposits: 0 }, details: { version: 1, commitId } },
      },
    ]);
    const versions = (await receiveRecords(sqsClient(), bank)).map(
      ({ messageAttributes }) => messageAttributes['Sagabox.SagaVersion']?.stringValue,
    );
    expect(versions.sort()).toEqual(['2.0', '3.0', '4.0', '5.0', '6.0']);
  });

  it('keeps the timeouts of its sagas', async () => {
    await deliver(store, [opened()]);
    await deliver(store, [record('Asked', { account: '1' })]);
    const { details } = (await store.load({ id: '1' })) ?? {};
    const pending = [{ id: expect.any(String), type: 'Reviewed', scheduled: false }];
    expect(details).toEqual({ version: 2, commitId, timeouts: pending });
    const timeout = await receivedTimeout();
    for (let delivery = 0; delivery < 2; delivery += 1) expect(await deliver(store, [timeout])).toEqual([]);
    expect(await store.load({ id: '1' })).toEqual({
      state: { balance: 1_000, deposits: 0 },
      details: { version: 3, commitId },
    });
  });

  it('keeps what is left of timeouts that are cancelled', async () => {
    await deliver(store, [opened()]);
    await deliver(store, [record('Asked', { account: '1' })]);
    await deliver(store, [record('ReviewOff', { account: '1' })]);
    const timeout = await receivedTimeout();
    expect(await deliver(store, [timeout])).toEqual([]);
    expect(await store.load({ id: '1' })).toEqual({
      state: { balance: 0, deposits: 0 },
      details: { version: 3, commitId },
    });
    expect(outcomes().at(-1)).toBe('discarded');
  });

  it('keeps the version of the state', async () => {
    await deliver(store, [opened()]);
    await deliver(store, [deposit(1, 5)]);
    const definition = defineSaga({
      name: 'Account',
      messages: { Deposited: deposited },
      correlate: { Deposited: (m) => m.account },
      startedBy: ['Deposited'],
      initialState: () => ({ cents: 0 }),
      migrate: { 1: (state) => ({ cents: 100 * (state as Account).balance }) },
      handlers: {
        Deposited({ body }, { saga }) {
          saga.state.cents += 100 * body.amount;
        },
      },
    }) as unknown as typeof accountSaga;
    for (const id of [2, 3]) expect(await deliver(store, [deposit(id)], { definition })).toEqual([]);
    expect(await store.load({ id: '1' })).toEqual({
      state: { cents: 1_000 },
      details: { version: 4, commitId, stateVersion: 2 },
    });
  });

  it('may make 99 writes beside the record, or none', async () => {
    await deliver(store, [opened()]);
    for (const [id, writes] of [puts(99), []].entries())
      expect(await deliver(brokenBy({ writesOf: () => writes }), [deposit(id)])).toEqual([]);
    expect(outcomes()).toEqual(['handled', 'handled', 'handled']);
  });

  it.each<[string, unknown, string]>([
    ['null', null, 'load returned neither undefined nor an object with a state'],
    ['no state', { details: { version: 1 } }, 'load returned neither undefined nor an object with a state'],
    ['no details', { state: {} }, 'whose details are missing, although the store keeps them'],
    ['a version of DynamoDB', { state: {}, details: { version: '1' } }, 'whose details have no version'],
    ['no commit', { state: {}, details: { version: 1 } }, 'whose details have no commitId'],
    [
      'damaged timeouts',
      { state: {}, details: { version: 1, commitId: 'c', timeouts: 'Reviewed' } },
      'whose details have damaged timeouts',
    ],
    [
      'a version of the state that is none',
      { state: {}, details: { version: 1, commitId: 'c', stateVersion: 'x' } },
      'whose details have a stateVersion that is no whole number',
    ],
  ])('fails a message if it loads %s', async (_what, loaded, message) => {
    const broken = brokenBy({ load: async () => loaded as never });
    expect(await deliver(broken, [deposit(1)])).toEqual(['deposit-1']);
    expect(reports.at(-1)?.error).toMatchObject({
      code: 'InvalidSagaStore',
      message: expect.stringContaining(message),
    });
  });

  it('fails a message whose saga it cannot load', async () => {
    const load = async () => {
      throw new Error('The table of accounts is gone');
    };
    expect(await deliver(brokenBy({ load }), [opened()])).toEqual(['opened']);
    expect(String(reports[0]?.error)).toContain('The table of accounts is gone');
  });

  it('is asked to check a saga that starts and ends in one batch', async () => {
    expect(await deliver(store, [opened(), deposit(1), record('Closed', { account: '1' })])).toEqual([]);
    expect(changes).toEqual([{ kind: 'check', saga: { name: 'Account', id: '1' }, read: undefined }]);
    expect(await store.load({ id: '1' })).toBeUndefined();
  });

  it('keeps the sagas of several definitions apart by their names', async () => {
    const other = defineSaga({
      name: 'Audit',
      messages: { Audited: account },
      correlate: { Audited: (m) => m.account },
      startedBy: ['Audited'],
      initialState: () => ({ balance: 0, deposits: 0 }),
      handlers: { Audited() {} },
    });
    const definition = [accountSaga, other] as never;
    const audited = record('Audited', { account: '2' });
    expect(await deliver(store, [opened(), audited], { definition })).toEqual([]);
    const sagas = changes.map(({ saga }) => `${saga.name} ${saga.id}`);
    expect(sagas.toSorted()).toEqual(['Account 1', 'Audit 2']);
  });

  it('gets the state as a mapper makes it', async () => {
    const mapper = {
      toAttributes: (state: unknown) => ({ cents: { N: String((state as Account).balance * 100) } }),
      fromAttributes: ({ cents }: Record<string, AttributeValue>) => {
        return { balance: Number(cents?.N) / 100, deposits: 0 };
      },
    };
    await deliver(store, [opened()], { mapper });
    await deliver(store, [deposit(1, 5)], { mapper });
    expect(await store.load({ id: '1' })).toMatchObject({ state: { balance: 5, deposits: 0 } });
  });
});

describe('I2, I5: a saga store of your own without conditions', () => {
  let store: SpreadStore;

  beforeEach(async () => {
    store = new SpreadStore(dynamoDBClient(), table);
    await deliver(store, [opened()]);
  });

  it('has what each message added once', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => index + 1);
    // Of two deliveries of one message at the same time, one is refused, and is a duplicate then.
    for (const returned of await Promise.all([...ids, ...ids].map((id) => deliver(store, [deposit(id)]))))
      expect(returned).toEqual([]);
    expect(await store.load({ id: '1' })).toEqual({ state: { balance: 210, deposits: 20 } });
    expect(outcomes().filter((outcome) => outcome === 'handled')).toHaveLength(21);
  });

  it('has what the messages of a batch added, and no version on what they send', async () => {
    expect(
      await deliver(
        store,
        [1, 2, 3].map((id) => deposit(id)),
      ),
    ).toEqual([]);
    expect(await store.load({ id: '1' })).toEqual({ state: { balance: 6, deposits: 3 } });
    const sent = await receiveRecords(sqsClient(), bank);
    expect(sent.map(({ messageAttributes }) => messageAttributes['Sagabox.SagaVersion'])).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('has a message with a timeout refused, and no other of its batch', async () => {
    const asked = record('Asked', { account: '1' }, 'asked', { messageId: 'asked' });
    expect(await deliver(store, [deposit(1), asked, deposit(2)])).toEqual(['asked']);
    const failed = reports.find(({ outcome }) => outcome === 'failed');
    expect(String(failed?.error)).toContain('it has a timeout, which a store without keepsDetails loses');
    expect(await drain(sqsClient(), queue)).toEqual([]);
    expect(await store.load({ id: '1' })).toEqual({ state: { balance: 3, deposits: 2 } });
  });

  it('has a message without a saga discarded', async () => {
    expect(await deliver(store, [record('Deposited', { account: '2', amount: 1 })])).toEqual([]);
    expect(outcomes().at(-1)).toBe('discarded');
    expect(await store.load({ id: '2' })).toBeUndefined();
  });
});

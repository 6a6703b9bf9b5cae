import {
  type AttributeValue,
  type DynamoDBClient,
  GetItemCommand,
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

/** One item, written under the condition that it is as it was read. */
class VersionedStore implements CustomSagaStore<Account> {
  readonly keepsDetails: boolean = true;
  readonly changes: CustomSagaChange<Account>[] = [];
  readonly #client: DynamoDBClient;
  readonly #tableName: string;

  constructor(client: DynamoDBClient, tableName: string) {
    this.#client = client;
    this.#tableName = tableName;
  }

  async load({ id }: { id: string }) {
    const target = { TableName: this.#tableName, Key: this.#key(id), ConsistentRead: true };
    const { Item } = await this.#client.send(new GetItemCommand(target));
    return Item && JSON.parse(Item.saga?.S ?? '');
  }

  writesOf(change: CustomSagaChange<Account>): TransactWriteItem[] {
    this.changes.push(change);
    const target = { TableName: this.#tableName, Key: this.#key(change.saga.id) };
    const asRead =
      change.read === undefined
        ? { ConditionExpression: 'attribute_not_exists(PK)' }
        : {
            ConditionExpression: 'version = :read',
            ExpressionAttributeValues: { ':read': { N: String(change.read.version) } },
          };
    if (change.kind === 'check') return [{ ConditionCheck: { ...target, ...asRead } }];
    if (change.kind === 'complete') return [{ Delete: { ...target, ...asRead } }];
    const { state, version, details } = change;
    const saga = JSON.stringify({ state, version, details });
    const Item = { ...target.Key, version: { N: String(version) }, saga: { S: saga } };
    return [{ Put: { TableName: this.#tableName, Item, ...asRead } }];
  }

  #key(id: string) {
    return { PK: { S: `ACCOUNT#${id}` }, SK: { S: 'ACCOUNT' } };
  }
}

/** Several items, of which each message that is handled adds to another one. */
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
      Key: { PK: { S: `SPREAD#${change.saga.id}` }, SK: { S: `PART#${this.#count}` } },
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
/** SQS delays by whole seconds. */
async function receivedTimeout(): Promise<SQSRecord> {
  const [message] = await receiveMessages(sqsClient(), queue, 10);
  return eventRecord(message as Message, 'arn:aws:sqs:us-east-1:000000000000:accounts');
}

const outcomes = () => reports.map(({ outcome }) => outcome);

describe('a store of one item, with a condition', () => {
  let client: DynamoDBClient;
  let store: VersionedStore;

  beforeEach(() => {
    client = dynamoDBClient();
    store = new VersionedStore(client, table);
  });

  it('has the saga from its start to its end, and the saga table nothing of it', async () => {
    expect(await deliver(store, [opened()])).toEqual([]);
    expect(await deliver(store, [deposit(1, 30)])).toEqual([]);
    expect(await deliver(store, [deposit(2, 12)])).toEqual([]);
    expect(await store.load({ id: '1' })).toEqual({ state: { balance: 42, deposits: 2 }, version: 3 });
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

  it('has a message handled again, on what another one has left meanwhile', async () => {
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

  it('has a message without a saga handled again, if the saga starts meanwhile', async () => {
    const late = dynamoDBClient();
    new ClientFaults(late).plan('TransactWriteItems', async (_input, proceed) => {
      await deliver(store, [opened()]);
      return await proceed();
    });
    expect(await deliver(store, [deposit(1, 7)], { dynamoDBClient: late })).toEqual([]);
    expect(await store.load({ id: '1' })).toMatchObject({ state: { balance: 7, deposits: 1 } });
  });

  it('gets one change of the messages of a batch', async () => {
    await deliver(store, [opened()]);
    store.changes.length = 0;
    expect(
      await deliver(
        store,
        [1, 2, 3, 4, 5].map((id) => deposit(id)),
      ),
    ).toEqual([]);
    expect(store.changes).toEqual([
      {
        kind: 'update',
        saga: { name: 'Account', id: '1' },
        state: { balance: 15, deposits: 5 },
        version: 6,
        details: undefined,
        read: { state: { balance: 0, deposits: 0 }, version: 1 },
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
    expect(details).toEqual({ timeouts: [{ id: expect.any(String), type: 'Reviewed', scheduled: false }] });
    const timeout = await receivedTimeout();
    expect(await deliver(store, [timeout])).toEqual([]);
    expect(await store.load({ id: '1' })).toEqual({ state: { balance: 1_000, deposits: 0 }, version: 3 });
  });

  it('keeps what is left of timeouts that are cancelled', async () => {
    await deliver(store, [opened()]);
    await deliver(store, [record('Asked', { account: '1' })]);
    await deliver(store, [record('ReviewOff', { account: '1' })]);
    const timeout = await receivedTimeout();
    expect(await deliver(store, [timeout])).toEqual([]);
    expect(await store.load({ id: '1' })).toEqual({ state: { balance: 0, deposits: 0 }, version: 3 });
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
      version: 4,
      details: { stateVersion: 2 },
    });
  });

  it.each([
    ['no write of DynamoDB', [{}], 'it needs one of Put, Update, Delete, ConditionCheck, and has 0'],
    ['a write without a table', [{ Delete: { Key: {} } }], 'its Delete names no table'],
    [
      'more writes than a transaction takes',
      101,
      '102 writes (101 added by the handler or its store, 1 by sagabox)',
    ],
  ])('fails a message of which it makes %s, and commits nothing', async (_what, writes, message) => {
    await deliver(store, [opened()]);
    const put = (index: number) => ({
      Put: { TableName: table, Item: { PK: { S: `${index}` }, SK: { S: '-' } } },
    });
    const broken: CustomSagaStore<Account> = {
      keepsDetails: true,
      load: (saga) => store.load(saga),
      writesOf: () =>
        typeof writes === 'number'
          ? Array.from({ length: writes }, (_, index) => put(index))
          : (writes as TransactWriteItem[]),
    };
    expect(await deliver(broken, [deposit(1)])).toEqual(['deposit-1']);
    expect(String(reports.at(-1)?.error)).toContain(message);
    expect(await store.load({ id: '1' })).toMatchObject({ version: 1 });
    expect(await deliver(store, [deposit(1)])).toEqual([]);
  });

  it('fails a message that it cannot load the saga of', async () => {
    const broken: CustomSagaStore<Account> = {
      keepsDetails: true,
      load: async () => {
        throw new Error('The table of accounts is gone');
      },
      writesOf: (change) => store.writesOf(change),
    };
    expect(await deliver(broken, [opened()])).toEqual(['opened']);
    expect(String(reports[0]?.error)).toContain('The table of accounts is gone');
  });
});

describe('a store of several items, without conditions', () => {
  it('has no conflict, and what each message added once', async () => {
    const store = new SpreadStore(dynamoDBClient(), table);
    await deliver(store, [opened()]);
    const ids = Array.from({ length: 20 }, (_, index) => index + 1);
    const deliveries = [...ids, ...ids].map((id) => deliver(store, [deposit(id)]));
    await Promise.all(deliveries);
    // Of two deliveries of one message at the same time, one is refused, and is a duplicate then.
    expect(await store.load({ id: '1' })).toEqual({ state: { balance: 210, deposits: 20 } });
    expect(outcomes().filter((outcome) => outcome === 'handled')).toHaveLength(21);
    expect(conflicts).toBe(0);
  });

  it('refuses a timeout, which it does not keep, and commits nothing', async () => {
    const store = new SpreadStore(dynamoDBClient(), table);
    await deliver(store, [opened()]);
    expect(
      await deliver(store, [record('Asked', { account: '1' }, 'asked', { messageId: 'asked' })]),
    ).toEqual(['asked']);
    expect(String(reports.at(-1)?.error)).toContain(
      'timeouts or versions of its state, which the store does not keep',
    );
    expect(await drain(sqsClient(), queue)).toEqual([]);
  });
});

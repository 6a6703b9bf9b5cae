import { randomBytes } from 'node:crypto';
import { UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createHandler, type Locking, type MessageReport } from 'sagabox';
import { embeddedLimits } from '../../lib/outbox/embedded/embedded-write.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';
import { ClientFaults } from '../support/faults.ts';
import { drain, record } from '../support/queue.ts';
import { allItems } from '../support/raw-items.ts';
import { counterSaga } from './counter-endpoint.ts';
import { modes } from './modes.ts';

const saga = counterSaga('embedded');
const sagas = Array.from({ length: 5 }, (_, index) => String(index));

let tableName: string;
let queues: { billing: string; shipping: string };
let reports: MessageReport[];
let faults: ClientFaults;
let handler: ReturnType<typeof createHandler>;

beforeEach(async () => {
  tableName = await createTable();
  queues = { billing: await createQueue(), shipping: await createQueue() };
  reports = [];
  const client = dynamoDBClient();
  faults = new ClientFaults(client);
  handler = createHandler(saga, {
    endpoint: 'counters',
    throwOnFullBatchFailure: false,
    sagaTable: { tableName },
    outboxTable: { tableName },
    destinations: queues,
    dynamoDBClient: client,
    sqsClient: sqsClient(),
    logger: silentLogger,
    onMessage: (report) => void reports.push(report),
  });
});

const deliver = async (ids: readonly string[], note = 'n') =>
  await handler({
    Records: ids.map((id) => record('Counted', { counter: id.split(' ')[0], note }, `message ${id}`)),
  });
const items = async () => await allItems(dynamoDBClient(), tableName);
const pendingIn = async () => (await items()).flatMap(({ pending }) => Object.keys(pending?.M ?? {}));
const outcomes = () => reports.map(({ outcome }) => outcome);
const arrivedIds = async () => (await drain(sqsClient(), queues.billing)).map(({ id }) => id);
const all = (outcome: string) => sagas.map(() => outcome);

describe('Cost: messages of a batch with embedded outboxes', () => {
  it('of different sagas take one call to commit and one to mark', async () => {
    expect(await deliver(sagas)).toEqual({ batchItemFailures: [] });
    expect(outcomes()).toEqual(all('handled'));
    expect(faults.operations).toEqual(['BatchGetItem', 'BatchExecuteStatement', 'BatchExecuteStatement']);
    await deliver(sagas.map((id) => `${id} again`));
    expect(faults.operations.slice(3)).toEqual([
      'BatchGetItem',
      'BatchExecuteStatement',
      'BatchExecuteStatement',
    ]);
    expect((await items()).map(({ version }) => version?.N)).toEqual(sagas.map(() => '2'));
    expect(await pendingIn()).toEqual([]);
  });

  it('of one saga share one commit and one mark', async () => {
    const ids = ['7 a', '7 b', '7 c'];
    await deliver(ids);
    expect(faults.operations).toEqual(['BatchGetItem', 'UpdateItem', 'UpdateItem']);
    expect((await items())[0]).toMatchObject({ version: { N: '3' }, pending: { M: {} } });
    expect(new Set(await arrivedIds()).size).toBe(3);
  });
});

describe('I1, I2, I3: a batch of messages of different sagas with embedded outboxes', () => {
  it('is found to be committed when the answer to the commit gets lost and the SDK sends it again', async () => {
    faults.loseAnswer('BatchExecuteStatement');
    expect(await deliver(sagas)).toEqual({ batchItemFailures: [] });
    expect(outcomes().filter((outcome) => outcome !== 'failed')).toEqual(all('redispatched'));
    expect((await items()).map(({ version }) => version?.N)).toEqual(sagas.map(() => '1'));
    expect(new Set(await arrivedIds()).size).toBe(sagas.length);
    expect(await pendingIn()).toEqual([]);
  });

  it('has one message refused without an effect on the others', async () => {
    await deliver(['0 first']);
    faults.requests.length = 0;
    reports.length = 0;
    // As an eventually consistent read that comes too early.
    faults.plan('BatchGetItem', async (input, proceed) => {
      const answer = (await proceed()) as { Responses: Record<string, object[]> };
      expect(input.RequestItems[tableName].ConsistentRead).toBe(false);
      return { ...answer, Responses: {} };
    });
    expect(await deliver(sagas)).toEqual({ batchItemFailures: [] });
    expect(outcomes().filter((outcome) => outcome === 'handled')).toEqual(all('handled'));
    expect(outcomes().filter((outcome) => outcome === 'failed')).toHaveLength(1);
    expect(await pendingIn()).toEqual([]);
  });

  it.each([
    [
      'call',
      async () => Promise.reject(Object.assign(new Error('denied'), { name: 'AccessDeniedException' })),
    ],
    [
      'statement',
      async ({ Statements }: { Statements: object[] }) => ({
        $metadata: {},
        Responses: Statements.map(() => ({ Error: { Code: 'AccessDenied', Message: 'denied' } })),
      }),
    ],
  ])(
    'is written one by one when the role may not use statements, as the error of the %s tells',
    async (_by, denied) => {
      faults.plan('BatchExecuteStatement', denied as never);
      expect(await deliver(sagas)).toEqual({ batchItemFailures: [] });
      expect(outcomes()).toEqual(all('handled'));
      expect(faults.operations.filter((operation) => operation === 'BatchExecuteStatement')).toHaveLength(1);
      expect(await pendingIn()).toEqual([]);
    },
  );
});

describe('I2: messages of one saga with an embedded outbox', () => {
  it('have records once the inbox is full, and are known by them', async () => {
    for (let from = 0; from < embeddedLimits.inboxMessages; from += 10) {
      const ids = Array.from({ length: 10 }, (_, index) => `7 ${from + index}`);
      await deliver(ids);
    }
    expect(await items()).toHaveLength(1);
    // A commit of ten is one write, which costs no more than the lease of a crowd.
    const leases = faults.requests.filter(({ input }) => input.ExpressionAttributeValues?.[':lease']);
    expect(leases).toEqual([]);
    await deliver(['7 over', '7 more']);
    const stored = await items();
    expect(stored.find(({ SK }) => SK?.S === 'SAGA')?.overflowed).toEqual({ BOOL: true });
    const records = stored.filter(({ SK }) => SK?.S === 'RECORD');
    expect(records.map(({ dispatched }) => dispatched?.BOOL)).toEqual([true, true]);
    reports.length = 0;
    await deliver(['7 over', '7 3', '7 more']);
    expect(outcomes()).toEqual(['duplicate', 'duplicate', 'duplicate']);
  });

  it('have a record for each that does not fit into the item', async () => {
    const large = (id: string) => {
      // It takes about 185 KB in the item, and that of two of them is over the bound.
      const note = randomBytes(185_000).toString('base64');
      return record('Counted', { counter: '7', note }, `message ${id}`);
    };
    const messages = [large('a'), large('b')];
    await handler({ Records: messages });
    const records = (await items()).filter(({ SK }) => SK?.S === 'RECORD');
    expect(records.map(({ dispatched }) => dispatched)).toEqual([{ BOOL: true }]);
    expect(await pendingIn()).toEqual([]);
    await handler({ Records: messages });
    expect(outcomes()).toEqual(['handled', 'handled', 'duplicate', 'duplicate']);
  });

  it('are refused under the id of a message of another type', async () => {
    await deliver(['7 a']);
    const closed = record('Closed', { counter: '7' }, 'message 7 a');
    const { batchItemFailures } = (await handler({ Records: [closed] })) as { batchItemFailures: object[] };
    expect(batchItemFailures).toHaveLength(1);
    expect(reports.at(-1)?.error).toMatchObject({ code: 'MessageIdReused' });
  });
});

describe('I2: a saga of another outbox form or of another endpoint', () => {
  const other = (outbox: 'records' | 'embedded', endpoint: string, locking?: Locking) =>
    createHandler(counterSaga(outbox), {
      endpoint,
      ...(locking && { locking }),
      throwOnFullBatchFailure: false,
      sagaTable: { tableName },
      outboxTable: { tableName },
      destinations: queues,
      dynamoDBClient: dynamoDBClient(),
      sqsClient: sqsClient(),
      logger: silentLogger,
      onMessage: (report) => void reports.push(report),
    });
  it.each([
    ['records', 'counters', 'OtherSagaForm'],
    ['embedded', 'others', 'SagaOfOtherEndpoint'],
  ] as const)(
    "is refused by a function with outbox '%s' at the endpoint '%s' (%s)",
    async (outbox, endpoint, code) => {
      await deliver(['7 a']);
      const before = await items();
      await other(outbox, endpoint)({ Records: [record('Counted', { counter: '7', note: 'n' }, 'new')] });
      expect(reports.at(-1)?.error).toMatchObject({ code });
      expect(await items()).toEqual(before);
    },
  );

  describe.each(modes)('that has ended, in $name mode,', ({ locking }) => {
    /** What the saga of another endpoint leaves, where no time to live has deleted it yet. */
    async function leaveTombstone(expiresAt: number): Promise<void> {
      await deliver(['7 a']);
      const [{ PK, SK } = {}] = await items();
      await dynamoDBClient().send(
        new UpdateItemCommand({
          TableName: tableName,
          Key: { PK, SK } as never,
          UpdateExpression: 'REMOVE #state, stateVersion, timeouts, createdAt SET ExpiresAt = :at',
          ExpressionAttributeNames: { '#state': 'state' },
          ExpressionAttributeValues: { ':at': { N: String(expiresAt) } },
        }),
      );
      reports.length = 0;
    }
    const atOthers = async (id: string) =>
      await other(
        'embedded',
        'others',
        locking,
      )({ Records: [record('Counted', { counter: '7', note: 'n' }, id)] });

    it('is as if it were not there once its tombstone has expired', async () => {
      await leaveTombstone(1);
      await atOthers('message 7 a');
      await atOthers('message 7 a');
      expect(outcomes()).toEqual(['handled', 'duplicate']);
      expect(await items()).toMatchObject([{ endpoint: { S: 'others' }, state: expect.anything() }]);
    });

    it('is refused before', async () => {
      await leaveTombstone(Math.ceil(Date.now() / 1000) + 3600);
      await atOthers('new');
      expect(reports.at(-1)?.error).toMatchObject({ code: 'SagaOfOtherEndpoint' });
    });
  });
});

import { beforeEach, describe, expect, it } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { type CreateHandlerOptions, createHandler, defineHandlers, defineSaga, type Locking } from 'sagabox';
import { z } from 'zod';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { dynamoDBClient, sqsClient } from '../support/engines.ts';
import { record } from '../support/queue.ts';
import { type CounterEndpoint, counterEndpoint } from './counter-endpoint.ts';
import { modes } from './modes.ts';

let endpoint: CounterEndpoint;
let codes: unknown[];

const codesLogger = {
  ...silentLogger,
  error: (_: string, { code }: { code?: unknown }) => void codes.push(code),
};

async function open(locking: Locking): Promise<void> {
  endpoint = await counterEndpoint(locking);
  codes = [];
}

const good = (note: string) => record('Counted', { counter: '7', note });

describe.each(modes)('I5: a batch with one bad record in $name mode', ({ locking }) => {
  beforeEach(() => open(locking));

  const bad: [string, string, Partial<SQSRecord>, unknown?][] = [
    ['a body that is not JSON', 'InvalidMessage', { body: '<order/>' }],
    ['an empty body', 'InvalidMessage', { body: '' }],
    ['a body that its schema refuses', 'InvalidMessage', { body: '{"counter":7}' }],
    ['an unknown type', 'UnknownMessageType', withType('Unheard')],
    ['the name of an Object method as its type', 'UnknownMessageType', withType('constructor')],
    ['no type', 'UnknownMessageType', { messageAttributes: {} }],
    ['an empty correlation value', 'CorrelationMissing', { body: '{"counter":"","note":"x"}' }],
    ['another event source', 'InvalidEvent', { eventSource: 'aws:kinesis' }],
  ];

  it.each(bad)('returns the record with %s (%s), and handles the others', async (_case, code, fields) => {
    const badRecord = record('Counted', { counter: '7', note: 'bad' }, 'bad', fields);
    const failed = await endpoint.deliver([good('a'), badRecord, good('b')], { logger: codesLogger });

    expect(failed).toEqual([badRecord.messageId]);
    expect(codes).toEqual([code]);
    expect((await endpoint.state('7'))?.count).toBe(2);
    expect((await endpoint.arrived('billing')).map(({ body }) => body)).toEqual(
      expect.arrayContaining([{ note: 'a' }, { note: 'b' }]),
    );
  });
});

describe.each(modes)('I5: messages whose sagas JavaScript rounds to one in $name mode', ({ locking }) => {
  beforeEach(() => open(locking));

  it('are returned, and what else is rounded is handled', async () => {
    const saga = defineSaga({
      name: 'Rounding',
      messages: { Placed: z.object({ orderId: z.number(), total: z.number() }) },
      correlate: { Placed: (body) => `order-${body.orderId}` },
      startedBy: ['Placed'],
      initialState: () => ({}),
      handlers: { Placed: (_message, { send }) => send('billing', 'Charge', {}) },
    });
    const handler = createHandler(saga, {
      endpoint: 'rounding',
      locking,
      sagaTable: { tableName: endpoint.table },
      outboxTable: { tableName: endpoint.table },
      destinations: { billing: endpoint.queues.billing },
      dynamoDBClient: dynamoDBClient(),
      sqsClient: sqsClient(),
      logger: codesLogger,
    });
    const placed = (orderId: string) =>
      record('Placed', {}, orderId, { body: `{"orderId":${orderId},"total":9007199254740993}` });
    const Records = ['9007199254740993', '9007199254740992', '7'].map(placed);
    const { batchItemFailures } = await handler({ Records });

    expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(
      Records.slice(0, 2).map(({ messageId }) => messageId),
    );
    expect(codes).toEqual(['CorrelationRounded', 'CorrelationRounded']);
    expect(await endpoint.arrived('billing')).toHaveLength(1);
  });
});

describe.each(modes)('I5: an event without records in $name mode', ({ locking }) => {
  beforeEach(() => open(locking));

  it.each([
    ['nothing', undefined],
    ['an empty object', {}],
    ['no records', { Records: [] }],
    ['an API request', { httpMethod: 'GET', path: '/' }],
    ['records that cannot be returned', { Records: [{ s3: {} }] }],
  ])('is refused as a whole, before anything runs: %s', async (_case, event) => {
    const handler = createHandler(never, { logger: silentLogger });
    await expect(handler(event)).rejects.toMatchObject({ code: 'InvalidEvent' });
  });
});

describe.each(modes)('I1, I5: an endpoint with a wrong configuration in $name mode', ({ locking }) => {
  beforeEach(() => open(locking));

  const deliver = async (options: CreateHandlerOptions) => {
    const placed = good('a');
    const failed = await endpoint.deliver([placed], { logger: codesLogger, ...options });
    expect(failed).toEqual([placed.messageId]);
    return codes;
  };

  it('commits nothing and returns its message if a table does not exist', async () => {
    expect(await deliver({ sagaTable: { tableName: 'no-such-table' } })).toEqual(['TableNotFound']);
    expect(await endpoint.state('7')).toBeUndefined();
  });

  it.each<[string, () => CreateHandlerOptions, string]>([
    ['no table at all', () => ({ endpoint: 'orders' }), 'outboxTable'],
    ['no endpoint', () => ({ outboxTable: { tableName: endpoint.table } }), 'endpoint'],
  ])(
    'fails each invocation as a whole, also one with a record that cannot be read, if it names %s',
    async (_what, options, setting) => {
      const handler = createHandler(never, {
        logger: codesLogger,
        throwOnFullBatchFailure: false,
        ...options(),
      });
      const unread = { ...record('Never', {}), body: '{' };
      for (const records of [[record('Never', {})], [record('Never', {}), unread]]) {
        await expect(handler({ Records: records })).rejects.toMatchObject({
          code: 'Configuration',
          facts: { setting },
        });
      }
    },
  );

  it('commits nothing and returns its message if the handler sends to a destination that it lacks', async () => {
    expect(await deliver({ destinations: { billing: 'https://queues.test/billing' } })).toEqual([
      'Configuration',
    ]);
    expect(await endpoint.state('7')).toBeUndefined();
    expect(await endpoint.arrived('billing')).toEqual([]);
  });
});

describe.each(modes)('Behaviour: a handler in $name mode', ({ locking }) => {
  beforeEach(() => open(locking));

  it('is not made with a destination that is no URL', () => {
    expect(() => createHandler(never, { destinations: { billing: 'billing' } })).toThrow(
      expect.objectContaining({ code: 'Configuration' }),
    );
  });

  it.each([0, -1, 1.5, Number.NaN])('is not made with a concurrency of %d', (concurrency) => {
    expect(() => createHandler(never, { concurrency })).toThrow(
      expect.objectContaining({ code: 'Configuration' }),
    );
  });

  it('is not made with two definitions of one message type', () => {
    expect(() => createHandler([never, never])).toThrow(
      /two definitions take the message type 'Never': a handler set and a handler set/,
    );
  });

  it('is not made without a definition', () => {
    expect(() => createHandler([])).toThrow(expect.objectContaining({ code: 'Configuration' }));
  });
});

describe.each(modes)('I1, I3: a handler at a limit in $name mode', ({ locking }) => {
  beforeEach(() => open(locking));

  const put = (id: number) => ({
    Put: { TableName: endpoint.table, Item: { PK: { S: `USER#${id}` }, SK: { S: 'USER' } } },
  });
  const cases: [string, string, (context: Context) => void][] = [
    [
      'sends a message over the SQS limit',
      'InvalidOutgoingMessage',
      ({ send }) => send('billing', 'Big', 'x'.repeat(1024 * 1024)),
    ],
    [
      'sends characters that SQS refuses',
      'InvalidOutgoingMessage',
      ({ send }) => send('billing', 'Odd', {}, { headers: { tenant: 'a\uFFFE' } }),
    ],
    [
      'sends an integer that JavaScript may have rounded',
      'InvalidOutgoingMessage',
      ({ send }) => send('billing', 'Odd', { orderId: 2 ** 53 }),
    ],
    ['sends no JSON', 'InvalidOutgoingMessage', ({ send }) => send('billing', 'Odd', undefined)],
    [
      'sends with a delay that names no number',
      'InvalidOutgoingMessage',
      ({ send }) => send('billing', 'Late', {}, { delay: new Date() as never }),
    ],
    [
      'adds a write with a value that has no type',
      'InvalidTransactionItem',
      ({ transaction }) =>
        transaction.add({ Put: { TableName: endpoint.table, Item: { PK: 'USER#1' as never } } }),
    ],
    ['sends to nobody it knows', 'Configuration', ({ send }) => send('nobody', 'Hello', {})],
    [
      'adds 99 writes to its saga and record',
      'TransactionLimit',
      ({ transaction }) => {
        for (let id = 0; id < 99; id += 1) transaction.add(put(id));
      },
    ],
  ];

  it.each(cases)(
    'has nothing written or sent, and its message returned, when it %s (%s)',
    async (_case, code, run) => {
      const placed = record('PendingRequest', { id: '7' });
      const handler = createHandler(askingSaga(run), await deliveryOptions());
      const { batchItemFailures } = await handler({ Records: [placed] });

      expect(batchItemFailures).toEqual([{ itemIdentifier: placed.messageId }]);
      expect(codes).toEqual([code]);
      expect(await endpoint.undispatchedRecords()).toBe(0);
      expect(await endpoint.arrived('billing')).toEqual([]);
    },
  );

  it('sends what SQS takes as an escape in JSON only', async () => {
    const body = { text: 'a\uFFFE\u0000\uD800', '\uFFFF': 1 };
    const run = ({ send }: Context) => send('billing', 'Odd', body);
    const destinations = { billing: endpoint.queues.billing };
    const handler = createHandler(askingSaga(run), { ...(await deliveryOptions()), destinations });
    expect(await handler({ Records: [record('PendingRequest', { id: '7' })] })).toEqual({
      batchItemFailures: [],
    });
    expect((await endpoint.arrived('billing')).map((message) => message.body)).toEqual([body]);
  });

  it('has 98 writes committed with its saga and record, 100 in all', async () => {
    const run = ({ transaction }: Context) => {
      for (let id = 0; id < 98; id += 1) transaction.add(put(id));
    };
    const handler = createHandler(askingSaga(run), await deliveryOptions());
    expect((await handler({ Records: [record('PendingRequest', { id: '7' })] })).batchItemFailures).toEqual(
      [],
    );
  });

  async function deliveryOptions(): Promise<CreateHandlerOptions> {
    const tableName = endpoint.table;
    return {
      endpoint: 'asking',
      throwOnFullBatchFailure: false,
      locking,
      sagaTable: { tableName },
      outboxTable: { tableName },
      destinations: { billing: 'https://queues.test/billing' },
      dynamoDBClient: dynamoDBClient(),
      sqsClient: sqsClient(),
      logger: codesLogger,
    };
  }
});

type Context = Parameters<Parameters<typeof askingSaga>[0]>[0];

function askingSaga(run: (context: import('sagabox').SagaHandlerContext<{ asked: boolean }>) => void) {
  return defineSaga({
    name: 'Asking',
    messages: { PendingRequest: z.object({ id: z.string() }) },
    correlate: { PendingRequest: (m) => m.id },
    startedBy: ['PendingRequest'],
    initialState: () => ({ asked: false }),
    handlers: { PendingRequest: (_message, context) => run(context) },
  });
}

const never = defineHandlers({
  messages: { Never: z.object({}) },
  handlers: {
    Never() {
      throw new Error('This handler must not run');
    },
  },
});

function withType(type: string): Partial<SQSRecord> {
  return { messageAttributes: { 'Sagabox.MessageType': { dataType: 'String', stringValue: type } } };
}

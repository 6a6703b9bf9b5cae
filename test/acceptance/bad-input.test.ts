import { beforeEach, describe, expect, it } from '@jest/globals';
import type { SQSRecord } from 'aws-lambda';
import { type CreateHandlerOptions, createHandler, defineHandlers, defineSaga } from 'sagabox';
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

describe.each(modes)('$name mode:', ({ locking }) => {
  beforeEach(async () => {
    endpoint = await counterEndpoint(locking);
    codes = [];
  });

  const good = (note: string) => record('Counted', { counter: '7', note });

  describe('a batch with one bad record', () => {
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

    it.each(bad)('%s: %s, returned, and the others are processed', async (_case, code, fields) => {
      const badRecord = record('Counted', { counter: '7', note: 'bad' }, 'bad', fields);
      const failed = await endpoint.deliver([good('a'), badRecord, good('b')], { logger: codesLogger });

      expect(failed).toEqual([badRecord.messageId]);
      expect(codes).toEqual([code]);
      expect((await endpoint.state('7'))?.count).toBe(2);
      expect((await endpoint.arrived('billing')).map(({ body }) => body)).toEqual(
        expect.arrayContaining([{ note: 'a' }, { note: 'b' }]),
      );
    });

    it.each([
      ['nothing', undefined],
      ['an empty object', {}],
      ['no records', { Records: [] }],
      ['an API request', { httpMethod: 'GET', path: '/' }],
      ['records that cannot be returned', { Records: [{ s3: {} }] }],
    ])('an event with %s is refused as a whole, before anything runs', async (_case, event) => {
      const handler = createHandler(never, { logger: silentLogger });
      await expect(handler(event)).rejects.toMatchObject({ code: 'InvalidEvent' });
    });
  });

  describe('a wrong configuration', () => {
    const deliver = async (options: CreateHandlerOptions) => {
      const placed = good('a');
      const failed = await endpoint.deliver([placed], { logger: codesLogger, ...options });
      expect(failed).toEqual([placed.messageId]);
      return codes;
    };

    it('names a table that does not exist', async () => {
      expect(await deliver({ sagaTable: { tableName: 'no-such-table' } })).toEqual(['TableNotFound']);
      expect(await endpoint.state('7')).toBeUndefined();
    });

    it.each<[string, () => CreateHandlerOptions, string]>([
      ['no table at all', () => ({ endpoint: 'orders' }), 'outboxTable'],
      ['no endpoint', () => ({ outboxTable: { tableName: endpoint.table } }), 'endpoint'],
    ])(
      'names %s: each invocation fails as a whole, also one with a record that ends',
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

    it('lacks a destination that the handler sends to', async () => {
      expect(await deliver({ destinations: { billing: 'https://queues.test/billing' } })).toEqual([
        'Configuration',
      ]);
      expect(await endpoint.state('7')).toBeUndefined();
      expect(await endpoint.arrived('billing')).toEqual([]);
    });

    it('maps a destination to something that is no URL: refused when the handler is made', () => {
      expect(() => createHandler(never, { destinations: { billing: 'billing' } })).toThrow(
        expect.objectContaining({ code: 'Configuration' }),
      );
    });

    it.each([0, -1, 1.5, Number.NaN])(
      'sets a concurrency of %d: refused when the handler is made',
      (concurrency) => {
        expect(() => createHandler(never, { concurrency })).toThrow(
          expect.objectContaining({ code: 'Configuration' }),
        );
      },
    );

    it('gives one message type to two definitions: refused when the handler is made', () => {
      expect(() => createHandler([never, never])).toThrow(
        /two definitions take the message type 'Never': a handler set and a handler set/,
      );
    });

    it('gives no definition: refused when the handler is made', () => {
      expect(() => createHandler([])).toThrow(expect.objectContaining({ code: 'Configuration' }));
    });
  });

  describe('a handler that asks for too much', () => {
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
        ({ send }) => send('billing', 'Odd', 'a\uFFFE'),
      ],
      ['sends no JSON', 'InvalidOutgoingMessage', ({ send }) => send('billing', 'Odd', undefined)],
      ['sends to nobody it knows', 'Configuration', ({ send }) => send('nobody', 'Hello', {})],
      [
        'adds 99 writes to its saga and record',
        'TransactionLimit',
        ({ transaction }) => {
          for (let id = 0; id < 99; id += 1) transaction.add(put(id));
        },
      ],
    ];

    it.each(cases)('%s: %s, and nothing is written or sent', async (_case, code, run) => {
      const placed = record('PendingRequest', { id: '7' });
      const handler = createHandler(askingSaga(run), await deliveryOptions());
      const { batchItemFailures } = await handler({ Records: [placed] });

      expect(batchItemFailures).toEqual([{ itemIdentifier: placed.messageId }]);
      expect(codes).toEqual([code]);
      expect(await endpoint.undispatchedRecords()).toBe(0);
      expect(await endpoint.arrived('billing')).toEqual([]);
    });

    it('adds 98 writes to its saga and record: all 100 are written', async () => {
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

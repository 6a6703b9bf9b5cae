import { getEventListeners } from 'node:events';
import { beforeEach, describe, expect, it } from '@jest/globals';
import middy7, { type MiddlewareObj } from '@middy/core';
import middy6 from 'middy-6';
import {
  defineHandlers,
  defineSaga,
  type HandlerContext,
  type IncomingMessage,
  type MessageReport,
  SagaboxError,
  sagaOutbox,
  sqsBatch,
} from 'sagabox';
import { object } from 'valibot';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { memoryPorts } from '../support/memory-flow.ts';
import { record } from '../support/queue.ts';

let memory: ReturnType<typeof memoryPorts>;
let reports: MessageReport[];
let outbox: ReturnType<typeof sagaOutbox>;
let errors: unknown[];

beforeEach(() => {
  memory = memoryPorts('mail');
  [reports, errors] = [[], []];
  outbox = sagaOutbox({
    endpoint: 'mail',
    destinations: { mail: 'https://queues.test/mail' },
    logger: silentLogger,
    onMessage: (report) => void reports.push(report),
    ports: memory.ports,
  });
});

const logger = {
  ...silentLogger,
  error: (_: string, facts: Record<string, unknown>) => void errors.push(facts.code),
};

const outcomes = () => reports.map(({ outcome }) => outcome);

async function welcome(message: IncomingMessage, { send }: HandlerContext): Promise<string> {
  send('mail', 'Welcome', message.body);
  return 'welcomed';
}

async function deliver(
  handler: (message: never, context: never) => unknown,
  ids: string[] = ['m1'],
  context: object = {},
) {
  const records = ids.map((id) => record('SignedUp', { name: id }, id));
  const { batchItemFailures } = await sqsBatch(handler, { logger, throwOnFullBatchFailure: false })(
    { Records: records },
    context as never,
  );
  return batchItemFailures.map(({ itemIdentifier }) => {
    return ids[records.findIndex(({ messageId }) => messageId === itemIdentifier)];
  });
}

// Both majors that the peer range allows; their types differ in what this file does not use.
const engines: [string, typeof middy7][] = [
  ['middy 6', middy6 as unknown as typeof middy7],
  ['middy 7', middy7],
];

describe.each(engines)('%s: middy(handler).use(sagaOutbox()) in sqsBatch', (_name, middy) => {
  it('handles each record with a context of its own', async () => {
    const contexts = new Set<unknown>();
    const handler = middy(async (message: IncomingMessage, context: HandlerContext) => {
      contexts.add(context);
      await welcome(message, context);
    }).use(outbox);

    expect(await deliver(handler, ['m1', 'm2', 'm3'])).toEqual([]);
    expect(contexts.size).toBe(3);
    expect(memory.dispatcher.sent.map(({ body }) => body)).toEqual([
      { name: 'm1' },
      { name: 'm2' },
      { name: 'm3' },
    ]);
  });

  it('is an ordinary Lambda handler, which middy can wrap again', async () => {
    const seen: unknown[] = [];
    const batch = sqsBatch(middy(welcome).use(outbox), { logger });
    const handler = middy(batch).before(({ context }) => void seen.push(context?.awsRequestId));
    const context = { awsRequestId: 'r1', getRemainingTimeInMillis: () => 30_000 };

    const response = await handler({ Records: [record('SignedUp', {}, 'm1')] }, context as never);

    expect(response).toEqual({ batchItemFailures: [] });
    expect(seen).toEqual(['r1']);
  });

  it.each(['handled', 'failed'])(
    'listens to the signal of a context no longer than its message is %s',
    async (outcome) => {
      const controller = new AbortController();
      const signals: AbortSignal[] = [];
      const handler = middy(async (_: IncomingMessage, { signal }: HandlerContext) => {
        signals.push(signal);
        controller.abort(new Error('the end'));
        if (outcome === 'failed') throw new Error('a bug');
      }).use(outbox);
      const context = { signal: controller.signal };
      await Promise.allSettled([handler(record('Welcome', {}, 'in-1') as never, context as never)]);
      expect(signals[0]?.reason).toEqual(new Error('the end'));
      expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
    },
  );

  it('leaves nothing in a context whose event is no message', async () => {
    const { signal } = new AbortController();
    const context = { signal };
    await Promise.allSettled([middy(welcome).use(outbox)(null as never, context as never)]);
    expect(Object.getOwnPropertySymbols(context)).toEqual([]);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('takes an SQS record without sqsBatch, and throws what failed', async () => {
    const handler = middy(welcome).use(outbox);
    await handler(record('SignedUp', {}, 'm1') as never, {} as never);
    expect(outcomes()).toEqual(['handled']);

    await expect(handler({ httpMethod: 'GET' } as never, {} as never)).rejects.toMatchObject({
      code: 'InvalidEvent',
    });
  });

  it('reports a saga whose commit is refused without sqsBatch, too', async () => {
    const saga = defineSaga({
      name: 'Mail',
      messages: { SignedUp: object({}) },
      correlate: { SignedUp: () => 'm' },
      startedBy: ['SignedUp'],
      initialState: () => ({}),
      handlers: { SignedUp: async () => {} },
    });
    const refused = new SagaboxError('SagaConcurrency', {
      sagaName: 'Mail',
      sagaId: 'm',
      operation: 'create',
    });
    memory.ports.committer.commit = async () => {
      throw refused;
    };
    const onMessage = (report: MessageReport) => void reports.push(report);
    const ofSaga = { endpoint: 'mail', saga, logger: silentLogger, onMessage, ports: memory.ports };
    const handler = middy(saga.handler).use(sagaOutbox(ofSaga));
    const handled = handler(record('SignedUp', {}, 'm1') as never, {} as never);
    await expect(handled).rejects.toBe(refused);
    expect(reports).toMatchObject([{ outcome: 'failed', error: refused }]);
  });

  it('returns only the record whose handler throws, and reports it as failed', async () => {
    const handler = middy(async (message: IncomingMessage, context: HandlerContext) => {
      if (message.id === 'm2') throw new TypeError('a bug');
      await welcome(message, context);
    }).use(outbox);

    expect(await deliver(handler, ['m1', 'm2', 'm3'])).toEqual(['m2']);
    expect(reports.filter(({ outcome }) => outcome === 'failed')).toHaveLength(1);
    expect(errors).toEqual(['TypeError']);
    expect(memory.storage.records.size).toBe(2);
  });

  const fail = async () => {
    throw new Error('a bug');
  };

  it.each<[string, () => unknown]>([
    [
      'commit a later middleware cut off',
      () =>
        middy(welcome)
          .use(outbox)
          .use({ after: () => 'early' }),
    ],
    [
      'error another middleware swallowed',
      () =>
        middy(fail)
          .use({ onError: () => 'all is well' })
          .use(outbox),
    ],
  ])('keeps a message whose %s', async (_what, compose) => {
    expect(await deliver(compose() as never)).toEqual(['m1']);
    expect(errors).toEqual(['CommitSkipped']);
    expect(memory.dispatcher.sent).toEqual([]);
    expect(outcomes()).toEqual(['failed']);
  });

  it('rolls back an attempt whose error another middleware replaced, before sagaOutbox heard of it', async () => {
    const replaced = new Error('mapped');
    let send: HandlerContext['send'] | undefined;
    const handler = middy(async (_: IncomingMessage, context: HandlerContext) => {
      ({ send } = context);
      throw new Error('a bug');
    })
      .use(outbox)
      .use({
        onError: () => {
          throw replaced;
        },
      });

    expect(await deliver(handler)).toEqual(['m1']);
    expect(errors).toEqual(['Error']);
    expect(reports.map(({ outcome, error }) => [outcome, error])).toEqual([['failed', replaced]]);
    expect(() => send?.('mail', 'Late', {})).toThrow('has already returned');
  });

  it('commits behind a handler that returns no promise, but something that is awaited all the same', async () => {
    const happened: string[] = [];
    const query = (fails: boolean) => ({
      // biome-ignore lint/suspicious/noThenProperty: as a query builder has one, which runs its query when it is awaited
      then: (resolve: (rows: number) => void, reject: (error: Error) => void) => {
        happened.push(`query, with ${memory.storage.records.size} records`);
        if (fails) reject(new Error('no connection'));
        else resolve(1);
      },
    });
    let deliveries = 0;
    const handler = middy((_: IncomingMessage) => {
      deliveries += 1;
      return query(deliveries === 1) as never;
    }).use(outbox);

    expect(await deliver(handler)).toEqual(['m1']);
    expect(await deliver(handler)).toEqual([]);
    expect(happened).toEqual(['query, with 0 records', 'query, with 0 records']);
    expect(outcomes()).toEqual(['failed', 'handled']);
  });

  it('commits nothing of a handler that still runs when another one answers in its stead', async () => {
    const end = Promise.withResolvers<void>();
    const slow = defineHandlers({
      messages: { SignedUp: object({}) },
      handlers: {
        async SignedUp(message, context) {
          await welcome(message, context);
          await end.promise;
        },
      },
    });
    const early = { timeoutEarlyInMillis: 10_000, timeoutEarlyResponse: () => null };
    const handler = middy(slow.handler, early).use(outbox as never);

    expect(await deliver(handler as never, ['m1'], { getRemainingTimeInMillis: () => 10_020 })).toEqual([
      'm1',
    ]);
    end.resolve();
    expect(errors).toEqual(['CommitSkipped']);
    expect(memory.storage.records.size).toBe(0);
    expect(outcomes()).toEqual(['failed']);
  });

  it('keeps a message whose dedup check failed, when another middleware swallowed that', async () => {
    const throttled: MiddlewareObj = { onError: () => 'all is well' };
    const { outbox: store } = memory.ports;
    const find = store.find.bind(store);
    store.find = () => Promise.reject(new Error('throttled'));
    const handler = middy(welcome).use(throttled).use(outbox);

    expect(await deliver(handler)).toEqual(['m1']);
    expect(errors).toEqual(['CommitSkipped']);
    store.find = find;
    expect(await deliver(handler)).toEqual([]);
  });

  it('gives each attempt the message as it came, whatever the one before did to it', async () => {
    const seen: unknown[] = [];
    const handler = middy(async (message: IncomingMessage) => {
      const body = message.body as { items?: number[]; name: string };
      seen.push(structuredClone(body));
      body.name = 'changed';
      if (seen.length === 1) throw new SagaboxError('TransactionConflict', { item: 'a test' });
    }).use(outbox);

    expect(await deliver(handler)).toEqual([]);
    expect(seen).toEqual([{ name: 'm1' }, { name: 'm1' }]);
  });

  it('handles a message again that failed once', async () => {
    let attempts = 0;
    const handler = middy(async (message: IncomingMessage, context: HandlerContext) => {
      attempts += 1;
      await welcome(message, context);
      if (attempts === 1) throw new Error('a bug');
    }).use(outbox);

    expect(await deliver(handler)).toEqual(['m1']);
    expect(await deliver(handler)).toEqual([]);
    expect(await deliver(handler)).toEqual([]);
    expect(attempts).toBe(2);
    expect(memory.dispatcher.sent).toHaveLength(1);
    expect(outcomes()).toEqual(['failed', 'handled', 'duplicate']);
  });
});

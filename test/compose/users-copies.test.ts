import { beforeEach, describe, expect, it } from '@jest/globals';
import middy from '@middy/core';
import {
  createHandler,
  defineSaga,
  type HandlerContext,
  type IncomingMessage,
  recoverability,
  type SagaHandlerContext,
  sagaOutbox,
  sqsBatch,
  UnrecoverableError,
} from 'sagabox';
import { object, string } from 'valibot';
import { sagaKey } from '../../lib/dynamodb/keys.ts';
import { SagaboxError } from '../../lib/kernel/errors/errors.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { sqsRecord } from '../../lib/testing/sqs-record.ts';
import { memoryPorts } from '../support/memory-flow.ts';
import { record } from '../support/queue.ts';

type Wrapped = ((event: unknown, context: unknown) => Promise<unknown>) & {
  use(middleware: unknown): Wrapped;
};
/** Whatever the types of a handler are. */
const wrap = middy as unknown as (handler: unknown) => Wrapped;

interface State {
  lines: string[];
}

let memory: ReturnType<typeof memoryPorts>;

beforeEach(() => {
  memory = memoryPorts();
});

function options(commitIsWaitedFor: () => Promise<void> = async () => {}) {
  const claimChecks = {
    store: async <T>(operations: T) => {
      await commitIsWaitedFor();
      return operations;
    },
    load: async <T>(message: T) => message,
  };
  return {
    endpoint: 'orders',
    logger: silentLogger,
    destinations: { billing: 'https://queues.test/billing' },
    throwOnFullBatchFailure: false,
    recoverability: { immediateRetries: { maxRetries: 0 } },
    ports: { ...memory.ports, claimChecks },
  };
}

/** Of what those of a handler have, what its middleware takes. */
function ofOutbox() {
  const { throwOnFullBatchFailure: _throws, recoverability: _retries, ...others } = options();
  return others;
}

function ofBatch() {
  const { ports: _ports, ...others } = options();
  return others;
}

type Handle = (message: IncomingMessage, context: SagaHandlerContext<State>) => void | Promise<void>;

function orderSaga(handle: Handle) {
  return defineSaga({
    name: 'Order',
    messages: { Placed: object({ orderId: string() }) },
    correlate: { Placed: (body) => body.orderId },
    startedBy: ['Placed'],
    initialState: (): State => ({ lines: [] }),
    handlers: { Placed: handle as never },
  });
}

const placed = (id: string) => record('Placed', { orderId: '7' }, id);
const messageIds = () => [...memory.storage.records.values()].map(({ messageId }) => messageId);

/** What a handler can do to the message that it gets. */
function rename(message: IncomingMessage): void {
  Object.assign(message, { id: 'b', type: 'Other' });
  Object.assign(message.headers, { 'Sagabox.MessageId': 'b' });
  Object.assign(message.record, { messageId: 'evil' });
}

describe('a handler that renames its message', () => {
  const renaming = async (message: IncomingMessage) => rename(message);
  it.each<[string, () => (event: unknown) => Promise<unknown>]>([
    ['a saga', () => createHandler(orderSaga(renaming), options())],
    ['a plain function', () => sqsBatch(middy(renaming).use(sagaOutbox(ofOutbox())), ofBatch())],
  ])('is deduplicated under the id that arrived: %s', async (_what, handlerOf) => {
    const handler = handlerOf();
    for (const id of ['a', 'a', 'b']) {
      expect(await handler({ Records: [placed(id)] })).toEqual({ batchItemFailures: [] });
    }
    expect(messageIds()).toEqual(['a', 'b']);
  });

  it('and fails is returned under the id of its record', async () => {
    const first = placed('a');
    const { messageId } = first;
    const handler = createHandler(
      orderSaga((message) => {
        rename(message);
        throw new Error('a bug');
      }),
      options(),
    );
    expect(await handler({ Records: [first] })).toEqual({
      batchItemFailures: [{ itemIdentifier: messageId }],
    });
  });
});

describe('what a handler does behind its return', () => {
  it('reaches no commit, and is refused where it can be', async () => {
    const kept: { context?: SagaHandlerContext<State>; lines?: string[] } = {};
    const later = async () => {
      kept.lines?.push('too late');
    };
    const saga = orderSaga((_message, context) => {
      context.saga.state.lines.push('in time');
      context.send('billing', 'Charge', {});
      Object.assign(kept, { context, lines: context.saga.state.lines });
    });
    const handler = createHandler(saga, options(later));
    expect(await handler({ Records: [placed('a')] })).toEqual({ batchItemFailures: [] });

    expect(kept.lines).toEqual(['in time', 'too late']);
    expect([...memory.storage.sagas.values()].map(({ state }) => state)).toEqual([{ lines: ['in time'] }]);
    const { saga: late, send, reply, requestTimeout } = kept.context as SagaHandlerContext<State>;
    const message = expect.stringContaining('await every promise');
    const refused: [string, () => unknown][] = [
      ['HandlerReturned', () => late.state],
      ['HandlerReturned', () => Object.assign(late, { state: { lines: [] } })],
      ['HandlerReturned', () => late.complete()],
      ['InvalidOutgoingMessage', () => send('billing', 'Charge', {})],
      ['InvalidOutgoingMessage', () => reply('Done', {})],
      ['InvalidOutgoingMessage', () => requestTimeout('Placed', {}, {} as never)],
    ];
    for (const [code, use] of refused) expect(use).toThrow(expect.objectContaining({ code, message }));
  });
});

describe('two sagaOutbox on one handler', () => {
  it.each<[string, (handle: Handle) => (event: unknown, context: never) => unknown]>([
    [
      'side by side',
      (handle) => {
        const [one, other] = [orderSaga(handle), { ...orderSaga(handle), name: 'Other' }];
        return wrap(one.handler)
          .use(sagaOutbox({ ...ofOutbox(), saga: one }) as never)
          .use(sagaOutbox({ ...ofOutbox(), saga: other }) as never) as never;
      },
    ],
    [
      'one in the other',
      (handle) => {
        const saga = orderSaga(handle);
        const inner = wrap(saga.handler).use(sagaOutbox({ ...ofOutbox(), saga }));
        return wrap(inner).use(sagaOutbox({ ...ofOutbox(), saga }) as never) as never;
      },
    ],
  ])('are refused, and the message is kept: %s', async (_how, compose) => {
    const runs: string[] = [];
    const handler = compose(({ id }) => void runs.push(id));
    const { batchItemFailures } = await sqsBatch(handler as never, ofBatch())({ Records: [placed('a')] });
    expect(batchItemFailures).toHaveLength(1);
    await expect((async () => await handler(placed('a'), {} as never))()).rejects.toMatchObject({
      code: 'Configuration',
      facts: { setting: 'sagaOutbox' },
    });
    expect([runs, messageIds()]).toEqual([[], []]);
  });

  it('for one message, one after the other, are two of its endpoints', async () => {
    const handle = async (_message: IncomingMessage, { send }: HandlerContext) =>
      send('billing', 'Charge', {});
    const [one, other] = ['one', 'other'].map((endpoint) =>
      middy(handle).use(sagaOutbox({ ...ofOutbox(), endpoint }) as never),
    );
    const both = async (message: IncomingMessage, context: HandlerContext) => {
      for (const handler of [one, other]) await (handler as unknown as typeof handle)(message, context);
    };
    const handler = sqsBatch(both as never, ofBatch());
    expect(await handler({ Records: [placed('a')] })).toEqual({ batchItemFailures: [] });
  });

  /** Handlers of a saga of the customer and of one of the order, each at an endpoint of its own. */
  function handlersOfTwo(beforeOrder: (messageId: string) => void = () => {}) {
    const sagaBy = (name: string, key: 'customerId' | 'orderId', act: (messageId: string) => void) =>
      defineSaga({
        name,
        messages: { Bought: object({ customerId: string(), orderId: string() }) },
        correlate: { Bought: (body) => body[key] },
        startedBy: ['Bought'],
        initialState: (): { got: string[] } => ({ got: [] }),
        handlers: {
          Bought: async ({ id }, context) => {
            act(id);
            context.saga.state.got.push(id);
          },
        },
      });
    const sagas = [sagaBy('Customer', 'customerId', () => {}), sagaBy('Order', 'orderId', beforeOrder)];
    const memories = sagas.map(({ name }) => memoryPorts(name));
    const handlers = sagas.map((saga, index) =>
      wrap(saga.handler).use(
        sagaOutbox({ ...ofOutbox(), saga, endpoint: saga.name, ports: memories[index]?.ports as never }),
      ),
    );
    const both = async (message: unknown, context: unknown) => {
      for (const handle of handlers) await handle(message, context);
    };
    const states = () =>
      Object.fromEntries(
        memories.flatMap(({ storage }) =>
          [...storage.sagas].map(([key, { state }]) => [key, (state as { got: string[] }).got]),
        ),
      );
    return { both: both as never, states };
  }

  const bought = (id: string, orderId: string, isInOrder: boolean) =>
    sqsRecord({
      type: 'Bought',
      body: { customerId: 'c', orderId },
      id,
      sqsMessageId: id,
      ...(isInOrder && { messageGroupId: 'g' }),
    });

  it.each([
    ['side by side', false],
    ['in a FIFO group', true],
  ])(
    'for one message, one after the other, are of two sagas, each with its own: %s',
    async (_how, isInOrder) => {
      const { both, states } = handlersOfTwo();
      const Records = ['1', '2', '3'].map((id) => bought(id, id, isInOrder));
      expect(await sqsBatch(both, ofBatch())({ Records })).toEqual({ batchItemFailures: [] });
      expect(states()).toEqual({
        [sagaKey({ name: 'Customer', id: 'c' }).partition]: ['1', '2', '3'],
        [sagaKey({ name: 'Order', id: '1' }).partition]: ['1'],
        [sagaKey({ name: 'Order', id: '2' }).partition]: ['2'],
        [sagaKey({ name: 'Order', id: '3' }).partition]: ['3'],
      });
    },
  );

  it('of one FIFO group wait for none that waits for them, and keep their order, when one is retried', async () => {
    const failed = new Set<string>();
    const { both, states } = handlersOfTwo((messageId) => {
      if (messageId !== '1' || failed.has(messageId)) return;
      failed.add(messageId);
      throw new SagaboxError('Throttled', { operation: 'another call', reason: 'too many' });
    });
    const retried = {
      ...ofBatch(),
      recoverability: { immediateRetries: { maxRetries: 2 } },
    };
    const Records = ['1', '2'].map((id) => bought(id, 'o', true));
    expect(await sqsBatch(both, retried as never)({ Records })).toEqual({ batchItemFailures: [] });
    expect(states()).toEqual({
      [sagaKey({ name: 'Customer', id: 'c' }).partition]: ['1', '2'],
      [sagaKey({ name: 'Order', id: 'o' }).partition]: ['1', '2'],
    });
  });

  it.each<[string, (context: object) => object]>([
    ['its context', (context) => context],
    ['a copy of its context', (context) => ({ ...context })],
  ])(
    'are refused, and the message is kept: within the handler of createHandler, with %s',
    async (_what, contextOf) => {
      const runs: string[] = [];
      const inner = wrap(orderSaga(({ id }) => void runs.push(id)).handler).use(
        sagaOutbox({ ...ofOutbox(), saga: orderSaga(() => {}) }),
      );
      const errors: unknown[] = [];
      const handler = createHandler(
        orderSaga(async (message, context) => void (await inner(message, contextOf(context)))),
        { ...options(), onMessage: ({ error }) => void errors.push(error) },
      );
      expect((await handler({ Records: [placed('a')] })).batchItemFailures).toHaveLength(1);
      expect(errors).toEqual([expect.objectContaining({ code: 'Configuration' })]);
      expect([runs, messageIds()]).toEqual([[], []]);
    },
  );
});

function swallow(request: { response: unknown }): void {
  request.response = 'swallowed';
}

it('a failure before sagaOutbox that another middleware swallows is not acknowledged', async () => {
  const runs: string[] = [];
  const saga = orderSaga(({ id }) => void runs.push(id));
  const broken = () => {
    throw new Error('no secret');
  };
  const handler = wrap(saga.handler)
    .use({ onError: swallow })
    .use({ before: broken })
    .use(sagaOutbox({ ...ofOutbox(), saga }));
  const { batchItemFailures } = await sqsBatch(handler as never, ofBatch())({ Records: [placed('a')] });
  expect(batchItemFailures).toHaveLength(1);
  expect([runs, messageIds()]).toEqual([[], []]);
});

it('a failure behind sagaOutbox that another middleware swallows leaves the message acknowledged', async () => {
  let runs = 0;
  const saga = orderSaga(() => {
    runs += 1;
  });
  const handler = wrap(saga.handler)
    .use({ onError: swallow })
    .use({
      after: () => {
        throw new Error('no metrics');
      },
    })
    .use(sagaOutbox({ ...ofOutbox(), saga }));
  expect(await sqsBatch(handler as never, ofBatch())({ Records: [placed('a')] })).toEqual({
    batchItemFailures: [],
  });
  expect([runs, messageIds()]).toEqual([1, ['a']]);
});

it('each message of one context outside of sqsBatch ends with its signal', async () => {
  const controller = new AbortController();
  const signals: AbortSignal[] = [];
  const saga = orderSaga((_message, { signal }) => void signals.push(signal));
  const handler = wrap(saga.handler).use(sagaOutbox({ ...ofOutbox(), saga }));
  const context = { signal: controller.signal };
  await handler(placed('a'), context);
  await handler(placed('b'), context);
  expect(context.signal).toBe(controller.signal);
  const last = wrap(
    orderSaga((_message, { signal }) => {
      controller.abort();
      signals.push(signal);
    }).handler,
  ).use(sagaOutbox({ ...ofOutbox(), saga }));
  await last(placed('c'), context).catch(() => {});
  expect(signals.map(({ aborted }) => aborted)).toEqual([false, false, true]);
});

describe('a policy that ignores', () => {
  const ignoring = (handle: Handle) => {
    const all = options();
    return createHandler(orderSaga(handle), {
      ...all,
      recoverability: { ...all.recoverability, policy: () => recoverability.ignore },
    });
  };

  it('what failed leaves its record, so that nothing ever comes of the message', async () => {
    let runs = 0;
    const handler = ignoring(() => {
      runs += 1;
      throw new UnrecoverableError('the card was stolen');
    });
    for (let delivery = 0; delivery < 2; delivery += 1) {
      expect(await handler({ Records: [placed('a')] })).toEqual({ batchItemFailures: [] });
    }
    expect([runs, messageIds(), memory.storage.sagas.size]).toEqual([1, ['a'], 0]);
  });

  it('what is committed, and not sent, is not obeyed: the message comes back, and is sent', async () => {
    const { dispatcher } = memory;
    const { dispatch } = dispatcher;
    dispatcher.dispatch = () => Promise.reject(new Error('no network'));
    const handler = ignoring((_message, { send }) => send('billing', 'Charge', {}));
    expect(await handler({ Records: [placed('a')] })).toMatchObject({ batchItemFailures: [{}] });
    dispatcher.dispatch = dispatch;
    expect(await handler({ Records: [placed('a')] })).toEqual({ batchItemFailures: [] });
    expect(dispatcher.sent).toHaveLength(1);
  });
});

import { randomBytes } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import middy7, { type MiddlewareObj } from '@middy/core';
import middy6 from 'middy-6';
import {
  idempotencyKeyHeader,
  type MessageReport,
  type OutboxSessionContext,
  type OutboxSessionOptions,
  outboxSession,
  runOutboxSession,
  sagaOutbox,
} from 'sagabox';
import { SagaboxError } from '../../../lib/kernel/errors/errors.ts';
import { MemoryClaimChecks } from '../../../lib/testing/memory/claim-checks.ts';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { errorOf } from '../../support/error-of.ts';
import {
  albEvent,
  appSyncEvent,
  bareEvent,
  eventBridgeEvent,
  functionUrlEvent,
  httpApiEvent,
  latticeEvent,
  latticeEvent2,
  restApiEvent,
  webSocketEvent,
} from '../../support/http-events.ts';
import { memoryPorts } from '../../support/memory-flow.ts';

let memory: ReturnType<typeof memoryPorts>;
let reports: MessageReport[];
let runs: number;

beforeEach(() => {
  memory = memoryPorts('orders');
  [reports, runs] = [[], 0];
});

const outcomes = () => reports.map(({ outcome }) => outcome);
const sent = () => memory.dispatcher.sent.map(({ type }) => type);

type Handler = (event: never, context: OutboxSessionContext) => unknown;

const place: Handler = async (_event, { send }) => {
  runs += 1;
  send('billing', 'OrderPlaced', { run: runs });
  return { statusCode: 201, headers: { 'x-run': `${runs}` }, body: `{"run":${runs}}` };
};

function sessionOf(options: Partial<OutboxSessionOptions> = {}): ReturnType<typeof outboxSession> {
  return outboxSession({
    endpoint: 'orders',
    destinations: { billing: 'https://queues.test/billing' },
    idempotencyKey: idempotencyKeyHeader(),
    logger: silentLogger,
    onMessage: (report) => void reports.push(report),
    ports: memory.ports,
    ...options,
  } as OutboxSessionOptions);
}

/** A Lambda function, to be invoked with an event. */
function functionOf(handler: Handler = place, options: Partial<OutboxSessionOptions> = {}, middy = middy7) {
  const handle = middy(handler as never).use(sessionOf(options) as MiddlewareObj);
  let invocations = 0;
  return (event: unknown) => {
    invocations += 1;
    return handle(event as never, { awsRequestId: `r${invocations}` } as never) as Promise<unknown>;
  };
}

const keyed = { headers: { 'idempotency-key': 'k1' } };

const middys = [
  ['middy 7', middy7],
  ['middy 6', middy6 as unknown as typeof middy7],
] as const;

describe.each(middys)('a repeated request, with %s', (_, middy) => {
  it('gets the same response, and its handler runs once', async () => {
    const invoke = functionOf(place, {}, middy);
    const first = await invoke(httpApiEvent(keyed));
    expect(first).toEqual({ statusCode: 201, headers: { 'x-run': '1' }, body: '{"run":1}' });
    expect(JSON.stringify(await invoke(httpApiEvent(keyed)))).toBe(JSON.stringify(first));
    expect([runs, sent(), outcomes()]).toEqual([1, ['OrderPlaced'], ['handled', 'duplicate']]);
  });

  it('that fails is answered by the error, with nothing sent, and runs again', async () => {
    let fails = true;
    const invoke = functionOf(
      async (event, context) => {
        const response = await place(event, context);
        if (fails) throw new Error('no stock');
        return response;
      },
      {},
      middy,
    );
    await expect(invoke(httpApiEvent(keyed))).rejects.toThrow('no stock');
    expect([sent(), memory.storage.records.size, outcomes()]).toEqual([[], 0, ['failed']]);
    fails = false;
    expect(await invoke(httpApiEvent(keyed))).toMatchObject({ statusCode: 201 });
    expect(outcomes()).toEqual(['failed', 'handled']);
  });

  it('gets what a handler of Middy around it adds to each response, refusals included', async () => {
    const invoke = functionOf(place, { requireIdempotencyKey: true }, middy);
    const allowOrigin = {
      before: ({ event }: { event: { requestContext: { http: { method: string } } } }) =>
        event.requestContext.http.method === 'OPTIONS' ? { statusCode: 204 } : undefined,
      after: ({ response }: { response: { headers?: object } }) => {
        response.headers = { ...response.headers, 'access-control-allow-origin': '*' };
      },
    };
    const handle = middy(invoke as never).use(allowOrigin as never) as unknown as typeof invoke;
    const events = [
      httpApiEvent(keyed),
      httpApiEvent(keyed),
      httpApiEvent({ ...keyed, body: '{}' }),
      httpApiEvent(),
    ];
    const answers = [];
    for (const event of events) answers.push(await handle(event));
    const headers = expect.objectContaining({ 'access-control-allow-origin': '*' });
    expect(answers).toMatchObject([201, 201, 422, 400].map((statusCode) => ({ statusCode, headers })));
    expect(await handle(httpApiEvent({ method: 'OPTIONS' }))).toEqual({ statusCode: 204 });
  });

  it('is refused under the key of another one, in the form of a problem', async () => {
    const invoke = functionOf(place, {}, middy);
    await invoke(httpApiEvent(keyed));
    const answer = (await invoke(httpApiEvent({ ...keyed, body: '{"orderId":"43"}' }))) as { body: string };
    expect(answer).toMatchObject({
      statusCode: 422,
      headers: { 'content-type': 'application/problem+json' },
      isBase64Encoded: false,
    });
    expect(JSON.parse(answer.body)).toMatchObject({ status: 422, code: 'IdempotencyKeyReused' });
    expect([runs, outcomes()]).toEqual([1, ['handled', 'failed']]);
  });

  it('of EventBridge is handled once, whatever its handler returns', async () => {
    const invoke = functionOf(
      async () => {
        runs += 1;
      },
      {},
      middy,
    );
    await invoke(eventBridgeEvent('e1'));
    expect(await invoke(eventBridgeEvent('e1'))).toBeNull();
    expect([runs, outcomes()]).toEqual([1, ['handled', 'duplicate']]);
  });
});

describe('the response', () => {
  const forms: [string, unknown][] = [
    ['a string of payload 2.0', 'just text'],
    ['an object without a status', { orderId: '42' }],
    ['cookies', { statusCode: 200, cookies: ['a=1', 'b=2'], body: 'ok' }],
    [
      'headers as lists',
      { statusCode: 200, multiValueHeaders: { 'set-cookie': ['a=1', 'b=2'] }, body: 'ok' },
    ],
    ['bytes', { statusCode: 200, body: 'iVBORw0KGgo=', isBase64Encoded: true }],
    ['characters of all kinds', { statusCode: 200, body: '\ud800 😀 \u0000 "ä"' }],
    ['a large body', { statusCode: 200, body: 'x'.repeat(300_000) }],
    ['null', null],
  ];
  it.each(forms)('comes back as it was: %s', async (_, response) => {
    const invoke = functionOf(async () => response);
    const first = JSON.stringify(await invoke(httpApiEvent(keyed)));
    expect(first).toBe(JSON.stringify(response));
    expect(JSON.stringify(await invoke(httpApiEvent(keyed)))).toBe(first);
    expect(outcomes()).toEqual(['handled', 'duplicate']);
  });

  it.each(middys)(
    'of a handler that returns a thenable is what that resolves to, with %s',
    async (_, middy) => {
      let queries = 0;
      const query = () => ({
        // biome-ignore lint/suspicious/noThenProperty: as query builders have it
        then: (resolve: (value: unknown) => void) => {
          queries += 1;
          resolve({ statusCode: 200, body: 'found' });
        },
      });
      const invoke = functionOf(query, {}, middy);
      for (const _run of [1, 2])
        expect(await invoke(httpApiEvent(keyed))).toEqual({ statusCode: 200, body: 'found' });
      expect([queries, outcomes()]).toEqual([1, ['handled', 'duplicate']]);
    },
  );

  it('that another middleware changes is stored as changed', async () => {
    const handle = middy7(place as never)
      .use(sessionOf() as MiddlewareObj)
      .after((request) => {
        request.response = { ...(request.response as object), changed: true };
      });
    const invoke = () => handle(httpApiEvent(keyed) as never, {} as never);
    expect(await invoke()).toMatchObject({ changed: true });
    expect(await invoke()).toMatchObject({ changed: true });
  });

  it('goes to the claim check when it is large, and comes back from there', async () => {
    const bodies = new Map<string, string>();
    const claimChecks = new MemoryClaimChecks({
      endpoint: 'orders',
      thresholdBytes: 1000,
      destinations: new Map(),
      bodies,
    });
    const body = 'x'.repeat(2_000_000);
    const invoke = functionOf(async () => ({ statusCode: 200, body }), {
      ports: { ...memory.ports, claimChecks },
    });
    const first = await invoke(httpApiEvent(keyed));
    expect(await invoke(httpApiEvent(keyed))).toEqual(first);
    expect([bodies.size, outcomes()]).toEqual([1, ['handled', 'duplicate']]);
    bodies.clear();
    await expect(invoke(httpApiEvent(keyed))).rejects.toThrow(
      expect.objectContaining({ code: 'ClaimCheckNotFound' }) as never,
    );
  });

  it.each([
    ['a Date', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
    ['a part that is undefined', { a: undefined, b: 1 }, { b: 1 }],
    [
      'an instance of a class',
      new (class Money {
        amount = 1;
      })(),
      { amount: 1 },
    ],
    ['a toJSON', { total: { toJSON: () => '1 €' } }, { total: '1 €' }],
  ])('is the same at the first time, and without a key: %s', async (_, response, json) => {
    const invoke = functionOf(async () => response);
    for (const event of [httpApiEvent(keyed), httpApiEvent(keyed), httpApiEvent()])
      expect(Object.entries((await invoke(event)) as object)).toStrictEqual(Object.entries(json));
    expect(outcomes()).toEqual(['handled', 'duplicate', 'handled']);
  });

  it('without a key may be a stream', async () => {
    const body = new ReadableStream();
    expect(await functionOf(async () => ({ statusCode: 200, body }))(httpApiEvent())).toEqual({
      statusCode: 200,
      body,
    });
  });

  const changed: [string, unknown, string][] = [
    ['a Map', { totals: new Map([['a', 1]]) }, 'response.totals is a Map'],
    ['a Set', { ids: new Set(['a']) }, 'response.ids is a Set'],
    ['-0', { total: -0 }, 'response.total is -0'],
    ['NaN', { lines: [{ total: Number.NaN }] }, 'response.lines[0].total is NaN'],
    ['Infinity', { total: Number.POSITIVE_INFINITY }, 'response.total is Infinity'],
    ['an Error', { cause: new Error('no stock') }, 'response.cause is an Error'],
    ['an Error alone', new Error('no stock'), 'response is an Error'],
    ['a function', { next: () => {} }, 'response.next is a function'],
    ['a symbol', { kind: Symbol('order') }, 'response.kind is a symbol'],
    ['bytes', { body: Buffer.from('a') }, 'response.body is a Buffer'],
    ['a gap', { lines: [1, undefined] }, 'response.lines[1] is undefined'],
    ['an invalid Date', { at: new Date(Number.NaN) }, 'response.at is an invalid Date'],
    ['a promise', { total: Promise.resolve(1) }, 'response.total is a Promise'],
    ['a bigint', { total: 1n }, 'response.total is a bigint'],
  ];
  it.each(changed)(
    'that JSON would change is refused before the commit: %s',
    async (_, response, problem) => {
      const invoke = functionOf(async (_event, { send }) => {
        send('billing', 'OrderPlaced', {});
        return response;
      });
      for (const event of [httpApiEvent(keyed), httpApiEvent()])
        await expect(invoke(event)).rejects.toThrow(
          expect.objectContaining({
            code: 'ResponseNotStorable',
            message: expect.stringContaining(problem),
          }) as never,
        );
      expect([sent(), memory.storage.records.size]).toEqual([[], 0]);
    },
  );

  const refused: [string, unknown][] = [
    ['is too large', { statusCode: 200, body: randomBytes(400_000).toString('base64') }],
    ['has a stream', { statusCode: 200, body: new ReadableStream() }],
    ['is a stream', new ReadableStream()],
    ['holds a bigint', { statusCode: 200, body: 1n }],
  ];
  it.each(refused)('that %s is refused before the commit', async (_, response) => {
    const invoke = functionOf(async (_event, { send }) => {
      send('billing', 'OrderPlaced', {});
      return response;
    });
    await expect(invoke(httpApiEvent(keyed))).rejects.toThrow(
      expect.objectContaining({ code: 'ResponseNotStorable' }) as never,
    );
    expect([sent(), memory.storage.records.size]).toEqual([[], 0]);
  });

  it.each([
    [499, 'committed'],
    [500, 'not committed'],
  ])('with status %i is %s', async (statusCode, result) => {
    const isCommitted = result === 'committed';
    const invoke = functionOf(async (event, context) => ({
      ...((await place(event, context)) as object),
      statusCode,
    }));
    for (const _ of [1, 2]) expect(await invoke(httpApiEvent(keyed))).toMatchObject({ statusCode });
    expect([runs, sent().length]).toEqual(isCommitted ? [1, 1] : [2, 0]);
    expect(outcomes()).toEqual(isCommitted ? ['handled', 'duplicate'] : ['failed', 'failed']);
  });

  it('can be committed with other statuses', async () => {
    const invoke = functionOf(
      async () => {
        runs += 1;
        return { statusCode: 404, body: `${runs}` };
      },
      {
        commitsStatus: (status) => status < 400,
      },
    );
    expect(await invoke(httpApiEvent(keyed))).toMatchObject({ body: '1' });
    expect(await invoke(httpApiEvent(keyed))).toMatchObject({ body: '2' });
  });
});

describe('a request without a key', () => {
  it('is new each time, and stores no response', async () => {
    const invoke = functionOf();
    for (const _ of [1, 2]) await invoke(httpApiEvent());
    expect([runs, sent().length, outcomes()]).toEqual([2, 2, ['handled', 'handled']]);
    expect([...memory.storage.records.values()].map(({ response }) => response)).toEqual([
      undefined,
      undefined,
    ]);
  });

  it('that writes and sends nothing stores nothing', async () => {
    expect(await functionOf(async () => 'read')(httpApiEvent({ method: 'GET' }))).toBe('read');
    expect([memory.storage.records.size, outcomes()]).toEqual([0, ['handled']]);
  });

  it.each([
    ['an HTTP API', httpApiEvent()],
    ['a function URL', functionUrlEvent()],
    ['a REST API', restApiEvent()],
    ['ALB', albEvent()],
    ['VPC Lattice, version 1', latticeEvent()],
    ['VPC Lattice, version 2', latticeEvent2()],
    ['a REST API without its context', bareEvent()],
    ['a WebSocket API', webSocketEvent('k1')],
  ])('is answered with 400 when one is required: %s', async (_, event) => {
    const answer = (await functionOf(place, { requireIdempotencyKey: true })(event)) as { body: string };
    expect(answer).toMatchObject({
      statusCode: 400,
      headers: { 'content-type': 'application/problem+json' },
    });
    expect(JSON.parse(answer.body).code).toBe('IdempotencyKeyMissing');
    expect(runs).toBe(0);
  });

  it('is answered with lists of headers where ALB sends lists', async () => {
    const answer = await functionOf(place, { requireIdempotencyKey: true })(albEvent({}, true));
    expect(answer).toMatchObject({ multiValueHeaders: { 'content-type': ['application/problem+json'] } });
  });

  it.each([
    ['an event', eventBridgeEvent('e1')],
    ['a field of AppSync', appSyncEvent()],
  ])('fails with its code when one is required, and no status answers it: %s', async (_, event) => {
    const invoke = functionOf(place, { requireIdempotencyKey: true });
    await expect(invoke(event)).rejects.toThrow(
      expect.objectContaining({ code: 'IdempotencyKeyMissing' }) as never,
    );
  });
});

describe.each([
  ['VPC Lattice, version 1', latticeEvent],
  ['VPC Lattice, version 2', latticeEvent2],
  ['a REST API without its context', bareEvent],
])('a request of %s', (_, eventOf) => {
  const options = { scope: 'public' } as const;

  it('under the key of another route, or with another body, does not get its answer', async () => {
    const invoke = functionOf(place, options);
    expect(await invoke(eventOf(keyed))).toMatchObject({ statusCode: 201, body: '{"run":1}' });
    expect(await invoke(eventOf({ ...keyed, path: '/refunds' }))).toMatchObject({ body: '{"run":2}' });
    expect(await invoke(eventOf({ ...keyed, body: '{"orderId":"43"}' }))).toMatchObject({ statusCode: 422 });
    expect(await invoke(eventOf(keyed))).toMatchObject({ body: '{"run":1}' });
  });

  it('that is answered with 500 commits nothing, and runs again', async () => {
    const invoke = functionOf(
      async (event, context) => ({ ...((await place(event, context)) as object), statusCode: 500 }),
      options,
    );
    for (const _run of [1, 2]) expect(await invoke(eventOf(keyed))).toMatchObject({ statusCode: 500 });
    expect([runs, sent(), memory.storage.records.size]).toEqual([2, [], 0]);
  });
});

describe('a field of AppSync', () => {
  it('is for its caller alone, and its arguments are compared', async () => {
    const invoke = functionOf(async (event) => {
      runs += 1;
      const { identity, arguments: given } = event as ReturnType<typeof appSyncEvent>;
      return { receiptOf: (identity as { sub: string }).sub, ...given };
    });
    const alice = { ...keyed, authorizer: { sub: 'alice', issuer: 'https://a.test' } };
    const bob = { ...keyed, authorizer: { sub: 'bob', issuer: 'https://a.test' } };
    expect(await invoke(appSyncEvent(alice))).toEqual({ receiptOf: 'alice', orderId: '42' });
    expect(await invoke(appSyncEvent(bob))).toEqual({ receiptOf: 'bob', orderId: '42' });
    expect(await invoke(appSyncEvent(alice))).toEqual({ receiptOf: 'alice', orderId: '42' });
    await expect(invoke(appSyncEvent({ ...alice, arguments: { orderId: '43' } }))).rejects.toThrow(
      expect.objectContaining({ code: 'IdempotencyKeyReused' }) as never,
    );
    expect(runs).toBe(2);
  });

  it('may have any answer: a status in it is none of HTTP', async () => {
    const invoke = functionOf(async () => ({ statusCode: 500, of: 'the parcel' }));
    await invoke(appSyncEvent(keyed));
    expect(outcomes()).toEqual(['handled']);
  });
});

describe('an event in a form that is not known', () => {
  it('and that looks like an HTTP request is not handled', async () => {
    const invoke = functionOf(place, { scope: 'public' });
    await expect(invoke({ ...keyed, body: '{"orderId":"42"}' })).rejects.toThrow(
      expect.objectContaining({ code: 'UnknownHttpEvent', facts: { path: 'event.headers' } }) as never,
    );
    expect([runs, memory.storage.records.size]).toEqual([0, 0]);
  });

  it('with a key and without a caller is not handled, and with one is for its caller', async () => {
    const idempotencyKey = (event: { key: string }) => event.key;
    await expect(functionOf(place, { idempotencyKey })({ key: 'k1' })).rejects.toThrow(
      expect.objectContaining({ code: 'Configuration' }) as never,
    );
    expect(runs).toBe(0);
    const invoke = functionOf(place, { idempotencyKey, caller: (event: { from: string }) => event.from });
    for (const from of ['alice', 'bob', 'alice']) await invoke({ key: 'k1', from });
    expect([runs, outcomes()]).toEqual([2, ['handled', 'handled', 'duplicate']]);
    await expect(invoke({ key: 'k1', from: 'alice', total: 7 })).rejects.toThrow(
      expect.objectContaining({ code: 'IdempotencyKeyReused' }) as never,
    );
  });
});

describe('the commit', () => {
  const failing = (code: 'TableCallFailed' | 'TransactionConflict', isStored: boolean, times = 1) => {
    const { committer } = memory.ports;
    const commit = committer.commit.bind(committer);
    let failures = 0;
    committer.commit = async (...parameters) => {
      failures += 1;
      if (failures > times) return await commit(...parameters);
      if (isStored) await commit(...parameters);
      const facts = { operation: 'PutItem', tableNames: ['outbox'], detail: 'timeout', item: 'it' };
      throw new SagaboxError(code, facts as never);
    };
  };

  it.each([
    ['was stored', 'TableCallFailed', true],
    ['was not stored', 'TableCallFailed', false],
    ['met another transaction', 'TransactionConflict', false],
  ] as const)('without an answer is settled: it %s', async (_, code, isStored) => {
    failing(code, isStored);
    const invoke = functionOf();
    const first = await invoke(httpApiEvent(keyed));
    expect(first).toMatchObject({ statusCode: 201, body: '{"run":1}' });
    // By itself: nobody may repeat the request.
    expect(sent()).toEqual(['OrderPlaced']);
    expect(await invoke(httpApiEvent(keyed))).toEqual(first);
    expect([runs, sent()]).toEqual([1, ['OrderPlaced']]);
    expect([...memory.storage.records.values()].map(({ dispatched }) => dispatched)).toEqual([true]);
  });

  it('without an answer answers a request without a key by what its handler returned', async () => {
    failing('TableCallFailed', true);
    expect(await functionOf()(httpApiEvent())).toMatchObject({ body: '{"run":1}' });
    expect(sent()).toEqual(['OrderPlaced']);
  });

  it('of a request without a key fails by a record that is not its own', async () => {
    const { committer } = memory.ports;
    const commit = committer.commit.bind(committer);
    committer.commit = async (given, ...parameters) => {
      const storedAt = new Date(0);
      await commit({ ...given, outbox: given.outbox && { ...given.outbox, storedAt } }, ...parameters);
      throw new SagaboxError('TableCallFailed', {
        operation: 'PutItem',
        tableNames: ['outbox'],
        detail: 'timeout',
      });
    };
    await expect(functionOf()(httpApiEvent())).rejects.toThrow(
      expect.objectContaining({ code: 'DuplicateMessage' }) as never,
    );
    expect([sent(), outcomes()]).toEqual([[], ['failed']]);
  });

  it('that is refused for good fails the request', async () => {
    const { committer } = memory.ports;
    committer.commit = async () => {
      throw new SagaboxError('TransactionConditionFailed', { index: 0, tableName: 'orders' });
    };
    await expect(functionOf()(httpApiEvent(keyed))).rejects.toThrow('did not hold');
    expect(sent()).toEqual([]);
  });
});

describe('two requests with one key at the same time', () => {
  it('both run; one commits, and both have its response', async () => {
    const { clock } = memory.ports;
    const now = clock.now.bind(clock);
    // What is stored in the same millisecond could be its own.
    clock.now = () => {
      clock.pass(1);
      return now();
    };
    const arrived = Promise.withResolvers<void>();
    let waiting = 0;
    const invoke = functionOf(async (event, context) => {
      waiting += 1;
      if (waiting === 2) arrived.resolve();
      await arrived.promise;
      return await place(event, context);
    });
    const answers = await Promise.all([invoke(httpApiEvent(keyed)), invoke(httpApiEvent(keyed))]);
    expect(answers[0]).toEqual(answers[1]);
    expect([runs, sent(), outcomes().toSorted()]).toEqual([2, ['OrderPlaced'], ['duplicate', 'handled']]);
  });

  it('and the one that fails answers with the response of the other', async () => {
    const invoke = functionOf();
    const slow = functionOf(async () => {
      await invoke(httpApiEvent(keyed));
      throw new Error('the stock is reserved by the other one');
    });
    expect(await slow(httpApiEvent(keyed))).toMatchObject({ statusCode: 201 });
    expect(outcomes()).toEqual(['handled', 'duplicate']);
  });

  it('and the one that fails can send nothing any more', async () => {
    const invoke = functionOf();
    let kept: OutboxSessionContext | undefined;
    await functionOf(async (_event, context) => {
      kept = context;
      await invoke(httpApiEvent(keyed));
      throw new Error('the stock is reserved by the other one');
    })(httpApiEvent(keyed));
    expect(() => kept?.send('billing', 'Late', {})).toThrow('already returned');
  });

  it('and the one that answers 500 answers with the response of the other', async () => {
    const invoke = functionOf();
    const slow = functionOf(async () => {
      await invoke(httpApiEvent(keyed));
      return { statusCode: 500, body: 'failed' };
    });
    expect(await slow(httpApiEvent(keyed))).toMatchObject({ statusCode: 201 });
  });
});

describe('after the commit', () => {
  it('the response is returned though nothing is sent, and the relay or a repeated request sends it', async () => {
    const dispatch = memory.dispatcher.dispatch.bind(memory.dispatcher);
    memory.dispatcher.dispatch = async () => {
      throw new SagaboxError('DispatchFailed', { destination: 'billing', failures: ['down'] });
    };
    const invoke = functionOf();
    const first = await invoke(httpApiEvent(keyed));
    expect(first).toMatchObject({ statusCode: 201 });
    expect(await invoke(httpApiEvent(keyed))).toEqual(first);
    expect([sent(), outcomes()]).toEqual([[], ['leftToRelay', 'leftToRelay']]);
    memory.dispatcher.dispatch = dispatch;
    expect(await invoke(httpApiEvent(keyed))).toEqual(first);
    expect([sent(), outcomes().at(-1)]).toEqual([['OrderPlaced'], 'redispatched']);
  });
});

describe('the context', () => {
  it('has what a session can do, and refuses it after the handler has returned', async () => {
    let kept: OutboxSessionContext | undefined;
    await functionOf(async (_event, context) => {
      kept = context;
      context.transaction.add({ Put: { TableName: 'orders', Item: { PK: { S: '42' } } } });
      await context.sendImmediately('billing', 'Started', {});
      context.logger.info('placing', {});
      return { statusCode: 200, body: `${context.signal.aborted}` };
    })(httpApiEvent(keyed));
    expect(sent()).toEqual(['Started']);
    expect(memory.storage.transactionItems).toHaveLength(1);
    expect(kept).not.toHaveProperty('reply');
    expect(kept).not.toHaveProperty('requestTimeout');
    expect(() => kept?.send('billing', 'Late', {})).toThrow('already returned');
  });

  it('tells a session within of its own, also when one beside it has ended', async () => {
    const context = {};
    const ended = Promise.withResolvers<void>();
    let refusal: unknown;
    const handle = middy7(async (event: { rawPath: string }) => {
      if (event.rawPath === '/ends') return { statusCode: 200 };
      await ended.promise;
      refusal = await errorOf(
        runOutboxSession({}, () => {}, { endpoint: 'orders', context: context as never }),
      );
      return { statusCode: 200 };
    }).use(sessionOf() as MiddlewareObj);
    const invoke = (rawPath: string) => handle({ ...httpApiEvent({}), rawPath } as never, context as never);
    const both = [invoke('/ends'), invoke('/waits')];
    await both[0];
    ended.resolve();
    await both[1];
    expect(refusal).toMatchObject({ message: expect.stringContaining('the event has a session') });
  });

  it('gives messages of a repeated request the same ids', async () => {
    const ids: string[][] = [];
    for (const _ of [1, 2]) {
      memory = memoryPorts('orders');
      await functionOf()(httpApiEvent(keyed));
      ids.push(memory.dispatcher.sent.map(({ id }) => id));
    }
    expect(ids[0]).toEqual(ids[1]);
    expect(ids[0]).toHaveLength(1);
  });
});

describe.each(middys)('another middleware within, with %s', (_, middy) => {
  const invoke = async (handler: Handler, within: object, event: unknown = httpApiEvent(keyed)) => {
    const handle = middy(handler as never).use(sessionOf({ exclusive: true }) as MiddlewareObj);
    return (await handle.use(within as MiddlewareObj)(event as never, {} as never)) as unknown;
  };
  const fails: Handler = () => {
    throw new Error('no stock');
  };
  const skipped = expect.objectContaining({ code: 'CommitSkipped' }) as never;

  it('that returns a value after the handler fails the request, which is answered when it is repeated', async () => {
    const after = () => ({ statusCode: 201, body: 'done' });
    await expect(invoke(place, { after })).rejects.toThrow(skipped);
    expect([sent(), memory.storage.records.size, outcomes()]).toEqual([[], 0, ['failed']]);
    expect(memory.storage.requestLeases.size).toBe(0);
    expect(await invoke(place, { before: () => {} })).toMatchObject({ statusCode: 201 });
  });

  it('that returns a value for an error fails the request', async () => {
    const onError = () => ({ statusCode: 503 });
    const failed = await invoke(fails, { onError }).catch((error: unknown) => error);
    expect(failed).toMatchObject({ code: 'CommitSkipped', cause: { message: 'no stock' } });
  });

  it('that sets the response for an error leaves it, and nothing is committed', async () => {
    const onError = (request: { response: unknown }) => {
      request.response = { statusCode: 503 };
    };
    expect(await invoke(fails, { onError })).toEqual({ statusCode: 503 });
    expect([memory.storage.records.size, outcomes()]).toEqual([0, ['failed']]);
  });

  it('that answers before the handler fails the request, whose lease is released', async () => {
    const before = () => ({ statusCode: 401 });
    await expect(invoke(place, { before })).rejects.toThrow(skipped);
    expect([runs, memory.storage.records.size, memory.storage.requestLeases.size]).toEqual([0, 0, 0]);
  });

  it('that adds a property to the request leaves it there', async () => {
    const before = (request: object) => {
      Object.assign(request, { startedAt: 42 });
    };
    const after = (request: { startedAt: number; response: { headers?: object } }) => {
      request.response.headers = { 'x-started-at': request.startedAt };
    };
    expect(await invoke(place, { before, after })).toMatchObject({ headers: { 'x-started-at': 42 } });
  });

  it('that does so for an event which is committed already is not called', async () => {
    await invoke(place, { before: () => {} });
    expect(await invoke(place, { before: () => ({ statusCode: 401 }) })).toMatchObject({ statusCode: 201 });
  });
});

describe('a second session', () => {
  it.each([
    ['outboxSession', () => sessionOf()],
    ['sagaOutbox', () => sagaOutbox({ endpoint: 'orders', ports: memory.ports, logger: silentLogger })],
  ])('on one handler is refused: %s', async (_, second) => {
    const handle = middy7(place as never)
      .use(sessionOf() as MiddlewareObj)
      .use(second() as MiddlewareObj);
    await expect(handle(httpApiEvent(keyed) as never, {} as never)).rejects.toThrow(
      expect.objectContaining({ code: 'Configuration' }) as never,
    );
    expect(runs).toBe(0);
  });
});

describe('options', () => {
  it.each([
    [{ scope: 'private' }, 'scope'],
    [{ caller: 'ann' }, 'caller'],
    [{ idempotencyKey: 'Idempotency-Key' }, 'idempotencyKey'],
    [{ requireIdempotencyKey: 'yes' }, 'requireIdempotencyKey'],
    [{ commitsStatus: 500 }, 'commitsStatus'],
    [{ operation: '' }, 'operation'],
    [{ operation: 7 }, 'operation'],
    [{ scope: 'public', caller: () => 'ann' }, 'caller'],
    [{ idempotencyKeys: () => 'k' }, 'idempotencyKeys'],
  ])('%j are refused when the session is made', (options, setting) => {
    expect(() => sessionOf(options as never)).toThrow(
      expect.objectContaining({ code: 'Configuration', message: expect.stringContaining(setting) }) as never,
    );
  });
});

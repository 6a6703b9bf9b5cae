import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { idempotencyKeyHeader, type OutboxSessionOptions, runOutboxSession } from 'sagabox';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { createQueue, createTable, dynamoDBClient, sqsClient } from '../support/engines.ts';
import {
  appSyncEvent,
  bareEvent,
  eventBridgeEvent,
  httpApiEvent,
  latticeEvent,
  latticeEvent2,
  sqsMessage,
  webSocketEvent,
} from '../support/http-events.ts';
import { drain } from '../support/queue.ts';

/** Sessions of one endpoint, on the real engines. */
let surroundings: OutboxSessionOptions;
let queueUrl: string;
let handled: unknown[];

beforeAll(async () => {
  queueUrl = await createQueue();
  surroundings = {
    endpoint: 'api',
    destinations: { mail: queueUrl },
    dynamoDBClient: dynamoDBClient(),
    sqsClient: sqsClient(),
    logger: silentLogger,
  };
});

beforeEach(async () => {
  surroundings = { ...surroundings, outboxTable: { tableName: await createTable() } };
  handled = [];
});

type More = Partial<OutboxSessionOptions> & { readonly result?: unknown };

/** Runs a session whose handler sends a mail, and tells its result. */
async function ask(event: unknown, { result = 'a receipt', ...options }: More = {}): Promise<unknown> {
  return await runOutboxSession(
    event,
    (given, { send }) => {
      handled.push(given);
      send('mail', 'Handled', { event: JSON.stringify(given) });
      return result;
    },
    { ...surroundings, ...options } as OutboxSessionOptions,
  );
}

/** Of a session that fails: whatever its error is, nothing was handled, and nothing is sent. */
async function refusal(event: unknown, options: More): Promise<unknown> {
  const before = handled.length;
  const error = await ask(event, options).catch((thrown: unknown) => thrown);
  expect(handled).toHaveLength(before);
  return error;
}

const headers = { 'idempotency-key': 'k1' };
const byHeader = { idempotencyKey: idempotencyKeyHeader() };
const byField = { idempotencyKey: (event: { key: string }) => event.key };
const byBody = { idempotencyKey: (event: { body: string }) => JSON.parse(event.body).key as string };
const authorizerOf = (name: string) => ({ authorizer: { sub: name, issuer: 'https://issuer.test' } });
const jwtOf = (sub: string) => ({ authorizer: { jwt: { claims: { iss: 'https://issuer.test', sub } } } });

describe('I2: the key of a request', () => {
  it.each([
    ['an HTTP API', byHeader, (name: string) => httpApiEvent({ headers, ...jwtOf(name) })],
    ['AppSync', byHeader, (name: string) => appSyncEvent({ headers, ...authorizerOf(name) })],
    ['a batch of AppSync', byHeader, (name: string) => [appSyncEvent({ headers, ...authorizerOf(name) })]],
    [
      'a WebSocket API',
      byBody,
      (name: string) => webSocketEvent('k1', { authorizer: { principalId: name } }),
    ],
    [
      'VPC Lattice',
      byHeader,
      (name: string) => latticeEvent2({ headers, authorizer: { type: 'AWS_IAM', principal: name } }),
    ],
  ])('is that of its caller: nobody gets what is for somebody else, over %s', async (_, key, eventOf) => {
    expect(await ask(eventOf('alice'), { ...key, result: 'for alice' })).toBe('for alice');
    expect(await ask(eventOf('bob'), { ...key, result: 'for bob' })).toBe('for bob');
    expect(await ask(eventOf('alice'), { ...key, result: 'another one' })).toBe('for alice');
    expect([handled.length, (await drain(sqsClient(), queueUrl)).length]).toEqual([2, 2]);
  });

  it.each([
    ['ALB or a REST API', bareEvent({ headers }), byHeader],
    ['VPC Lattice, version 1', latticeEvent({ headers }), byHeader],
    ['AppSync with an API key', appSyncEvent({ headers, authorizer: null as never }), byHeader],
    ['a WebSocket API', webSocketEvent('k1', { authorizer: {} }), byBody],
    ['a mapping template', { field: 'placeOrder', key: 'k1' }, byField],
    ['a direct invocation', { key: 'k1' }, byField],
  ])('is refused if nothing tells its caller, over %s', async (_, event, key) => {
    expect(await refusal(event, key)).toMatchObject({
      code: 'Configuration',
      message: expect.stringContaining("scope: 'public'"),
    });
    for (const _run of [1, 2]) await ask(event, { ...key, scope: 'public' });
    expect(handled).toHaveLength(1);
  });

  it.each([
    ['EventBridge', eventBridgeEvent('e1', { key: 'k1' })],
    ['SQS', sqsMessage('m1', '{"key":"k1"}')],
  ])('needs no caller for an event that a service makes: %s', async (_, event) => {
    for (const _run of [1, 2]) await ask(event, { idempotencyKey: () => 'k1' });
    expect(handled).toHaveLength(1);
  });

  it.each([
    ['VPC Lattice, version 1', latticeEvent],
    ['VPC Lattice, version 2', latticeEvent2],
    ['a REST API as tests write it', bareEvent],
    ['an HTTP API', httpApiEvent],
  ])('is for its route and its content alone, over %s', async (_, eventOf) => {
    const options = { ...byHeader, scope: 'public' } as const;
    expect(await ask(eventOf({ headers, path: '/orders' }), { ...options, result: 'an order' })).toBe(
      'an order',
    );
    expect(await ask(eventOf({ headers, path: '/refunds' }), { ...options, result: 'money' })).toBe('money');
    const other = eventOf({ headers, path: '/orders', body: '{"orderId":"43"}' });
    expect(await ask(other, options)).toMatchObject({ statusCode: 422 });
    expect(handled).toHaveLength(2);
  });

  it('is refused with an HTTP request in a form that is not known, which tells no route', async () => {
    const options = { ...byHeader, scope: 'public' } as const;
    expect(await refusal({ headers, body: '{}' }, options)).toMatchObject({
      code: 'UnknownHttpEvent',
      message: expect.stringContaining("'event.headers'"),
    });
  });
});

describe('I2: an event that a service delivers', () => {
  it('is handled by each of two functions, and by one that took the place of another not again', async () => {
    const runIn = async (variables: Record<string, string>) => {
      const names = ['SAGABOX_OPERATION', 'AWS_LAMBDA_FUNCTION_NAME'];
      const before = names.map((name) => process.env[name]);
      Object.assign(process.env, variables);
      try {
        await ask(eventBridgeEvent('e1'));
      } finally {
        for (const [index, name] of names.entries()) {
          if (before[index] === undefined) delete process.env[name];
          else process.env[name] = before[index];
        }
      }
      return handled.length;
    };
    expect(await runIn({ AWS_LAMBDA_FUNCTION_NAME: 'audit' })).toBe(1);
    expect(await runIn({ AWS_LAMBDA_FUNCTION_NAME: 'notify' })).toBe(2);
    expect(await runIn({ SAGABOX_OPERATION: 'Shop/Report', AWS_LAMBDA_FUNCTION_NAME: 'report-1' })).toBe(3);
    expect(await runIn({ SAGABOX_OPERATION: 'Shop/Report', AWS_LAMBDA_FUNCTION_NAME: 'report-2' })).toBe(3);
  });

  it('is handled once by each operation of a function, which get their own results', async () => {
    const order = { key: 'order-7' };
    const as = (operation: string) =>
      ask(order, { ...byField, scope: 'public', operation, result: `result of ${operation}` });
    for (const _run of [1, 2])
      expect([await as('charge'), await as('ship')]).toEqual(['result of charge', 'result of ship']);
    expect(handled).toHaveLength(2);
  });
});

describe('I2: the answer to a repeated request', () => {
  const options = { ...byField, scope: 'public' } as const;

  it('is that of the first one', async () => {
    const result = { at: new Date(0), note: undefined, lines: [{ total: 1.5 }] };
    const first = await ask({ key: 'k1' }, { ...options, result });
    expect(first).toStrictEqual({ at: '1970-01-01T00:00:00.000Z', lines: [{ total: 1.5 }] });
    expect(await ask({ key: 'k1' }, options)).toStrictEqual(first);
  });

  it.each([
    ['a Map', new Map([['a', 1]])],
    ['NaN', { total: Number.NaN }],
    ['an Error', [new Error('no stock')]],
  ])('cannot be %s: nothing is committed or sent', async (_, result) => {
    await drain(sqsClient(), queueUrl);
    await expect(ask({ key: 'k1' }, { ...options, result })).rejects.toThrow(
      expect.objectContaining({ code: 'ResponseNotStorable' }) as never,
    );
    expect(await drain(sqsClient(), queueUrl)).toEqual([]);
    await ask({ key: 'k1' }, options);
    expect(handled).toHaveLength(2);
  });
});

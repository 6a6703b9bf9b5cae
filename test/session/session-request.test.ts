import { describe, expect, it } from '@jest/globals';
import { differenceOf, fingerprintOf } from '../../lib/messages/fingerprint.ts';
import { idempotencyKeyHeader } from '../../lib/session/idempotency-key.ts';
import { type RequestIdentityRules, sessionRequest } from '../../lib/session/session-request.ts';
import {
  albEvent,
  appSyncEvent,
  bareEvent,
  bareHttpApiEvent,
  eventBridgeEvent,
  functionUrlEvent,
  httpApiEvent,
  latticeEvent,
  latticeEvent2,
  type RequestParts,
  restApiEvent,
  sqsMessage,
  webSocketEvent,
} from '../support/http-events.ts';

const byHeader = { endpoint: 'orders', idempotencyKey: idempotencyKeyHeader() };

function request(
  event: unknown,
  rules: Partial<RequestIdentityRules> = {},
  awsRequestId?: string,
  functionName?: string,
) {
  const invocation = { ...(awsRequestId && { awsRequestId }), ...(functionName && { functionName }) };
  return sessionRequest(event, { ...byHeader, ...rules }, invocation, () => 'new');
}

const large = (names: string) => `{${names},"text":"${'x'.repeat(256 * 1024)}"}`;
const nested = (value: string) => `${'['.repeat(10_000)}${value}${']'.repeat(10_000)}`;

const idOf = (...parameters: Parameters<typeof request>) => request(...parameters).id;

const keyed = (parts: RequestParts = {}, key = 'k1') => ({ ...parts, headers: { 'idempotency-key': key } });

describe('an HTTP request with a key', () => {
  it.each([
    ['HTTP API', httpApiEvent],
    ['function URL', functionUrlEvent],
    ['REST API', restApiEvent],
    ['ALB', (parts: RequestParts) => albEvent(parts)],
    ['ALB with lists', (parts: RequestParts) => albEvent(parts, true)],
    ['VPC Lattice, version 1', latticeEvent],
    ['VPC Lattice, version 2', latticeEvent2],
    ['REST API without its context', bareEvent],
    ['HTTP API without its context', bareHttpApiEvent],
  ])('has one id for endpoint, method, route, caller and key: %s', (_, eventOf) => {
    const rules = { caller: () => 'ann' };
    const id = idOf(eventOf(keyed()), rules);
    expect(id).toMatch(/^[\da-f-]{36}$/);
    expect(idOf(eventOf(keyed()), rules, 'another-invocation')).toBe(id);
    const others = [
      idOf(eventOf(keyed({}, 'k2')), rules),
      idOf(eventOf(keyed({ method: 'PUT' })), rules),
      idOf(eventOf(keyed({ path: '/payments' })), rules),
      idOf(eventOf(keyed()), { ...rules, endpoint: 'billing' }),
      idOf(eventOf(keyed()), { caller: () => 'bob' }),
      idOf(eventOf(keyed()), { scope: 'public', caller: undefined }),
    ];
    expect(new Set([id, ...others]).size).toBe(7);
  });

  it('is told by the method and the route of the API', () => {
    const event = { ...httpApiEvent(keyed({ pathParameters: { id: '1' } })), routeKey: 'ANY /orders/{id}' };
    expect(request(event)).toMatchObject({ type: 'POST /orders/{id}', isRepeatable: true });
    expect(request(functionUrlEvent(keyed())).type).toBe('POST /orders');
    expect(request(restApiEvent(keyed({ method: 'DELETE' }))).type).toBe('DELETE /orders');
  });

  it('has one content whatever the order of names in its JSON, and another one for another request', () => {
    const contentOf = (parts: RequestParts) => request(httpApiEvent(keyed(parts))).content;
    expect(contentOf({ body: '{"a":1,"b":2}' })).toEqual(contentOf({ body: '{"b":2,"a":1}' }));
    expect(contentOf({ body: '{"a":1}' })).not.toEqual(contentOf({ body: '{"a":2}' }));
    expect(contentOf({ body: 'text' })).not.toEqual(contentOf({ body: 'other' }));
    expect(contentOf({ query: 'a=1' })).not.toEqual(contentOf({}));
    expect(contentOf({ pathParameters: { id: '1' } })).not.toEqual(
      contentOf({ pathParameters: { id: '2' } }),
    );
  });

  it.each([
    ['{"account":9007199254740993}', '{"account":9007199254740992}', 'body'],
    ['{"account":9007199254740993}', '{"account":{"number":"9007199254740993"}}', 'body'],
    ['9007199254740993', '9007199254740992', 'body'],
    ['{"delta":-0}', '{"delta":0}', 'body'],
    [nested('1'), nested('2'), 'body'],
    [large('"a":1,"b":2'), large('"b":2,"a":1'), 'body'],
    [large('"a":1,"b":2'), large('"a":1,"b":2'), undefined],
    ['{"total":1.50}', '{"total":1.5}', undefined],
    [' 1.50', '1.5', undefined],
  ])('is compared by its numbers as they are written: %.40s and %.40s', (one, other, difference) => {
    const of = (body: string) =>
      fingerprintOf({ type: '', body: request(httpApiEvent(keyed({ body }))).content });
    expect(differenceOf(of(one), of(other))).toBe(difference);
  });

  it.each([
    ['another order', 'a=1&b=2', 'b=2&a=1'],
    ['%20 for +', 'name=a+b', 'name=a%20b'],
    ['letters that need no %', 'name=%61', 'name=a'],
    ['a name without a value', 'a', 'a='],
    ['ampersands alone', '', '&'],
  ])('is the same with query parameters in %s', (_, query, same) => {
    const contentOf = (parts: RequestParts) => request(httpApiEvent(keyed(parts))).content;
    expect(contentOf({ query: same })).toEqual(contentOf({ query }));
    const ofAlb = (multiValueQueryStringParameters: object) =>
      request({ ...albEvent(keyed(), true), multiValueQueryStringParameters }, { scope: 'public' }).content;
    expect(ofAlb({ 'a b': ['1 2'] })).toEqual(ofAlb({ 'a+b': ['1%202'] }));
  });

  it.each([
    ['values of one name in another order', 'a=1&a=2', 'a=2&a=1'],
    ['a + that is one', 'a=1%2B2', 'a=1+2'],
    ['bytes that are no UTF-8', 'a=%ff', 'a=%fe'],
    ['a % alone', 'a=%', 'a=%25%'],
    ['the name __proto__', '__proto__=1', '__proto__=2'],
  ])('is another one with query parameters with %s', (_, query, other) => {
    const contentOf = (parts: RequestParts) => JSON.stringify(request(httpApiEvent(keyed(parts))).content);
    expect(contentOf({ query: other })).not.toBe(contentOf({ query }));
  });

  it('of a REST API, which decodes its parameters, keeps a + apart from a space', () => {
    const contentOf = (a: string) =>
      request({ ...restApiEvent(keyed()), multiValueQueryStringParameters: { a: [a] } }).content;
    expect(contentOf('1+2')).not.toEqual(contentOf('1 2'));
  });

  it('over a route for any path is told by its path', () => {
    const event = (path: string) => ({ ...restApiEvent(keyed({ path })), resource: '$default', path });
    const rules = { scope: 'public' } as const;
    expect(idOf(event('/orders/42/pay'), rules)).not.toBe(idOf(event('/orders/42/refund'), rules));
    const proxied = (path: string) => ({ ...restApiEvent(keyed()), resource: '/{proxy+}', path });
    const [pay, refund] = ['/orders/42/pay', '/orders/42/refund'].map((path) =>
      request(proxied(path), rules),
    );
    expect(refund?.id).toBe(pay?.id);
    expect(refund?.content).not.toEqual(pay?.content);
  });

  it.each([
    [
      'a body in base64',
      { body: Buffer.from('{"a":1}').toString('base64'), isBase64Encoded: true },
      { body: '{"a":1}' },
    ],
    ['lists of query parameters', { multiValueQueryStringParameters: { a: ['1'] } }, undefined],
    ['query parameters', { queryStringParameters: { a: '1' } }, undefined],
    ['path parameters', { pathParameters: { id: '1' } }, undefined],
  ])('in payload 1.0 has %s in its content', (_, parts, same) => {
    const contentOf = (more: object) =>
      request({ ...restApiEvent(keyed()), body: undefined, ...more }).content;
    expect(contentOf(parts)).not.toEqual(contentOf({}));
    if (same) expect(contentOf(parts)).toEqual(contentOf(same));
  });

  it.each([
    ['the context alone', { requestContext: { http: { method: 'POST', path: '/orders' } } }],
    ['no version', { ...httpApiEvent(), version: undefined }],
    ['a route key', { routeKey: 'POST /orders' }],
    ['a method and a path', { method: 'POST', path: '/orders' }],
    ['a resource', { httpMethod: 'POST', resource: '/orders' }],
  ])('is known in a form that a test writes: %s', (_, event) => {
    const rules = { idempotencyKey: () => 'k1', scope: 'public' } as const;
    expect(request(event, rules)).toMatchObject({
      id: idOf(httpApiEvent(), rules),
      type: 'POST /orders',
      http: { answersInLists: false },
    });
  });

  it('hands on a trace header that is one', () => {
    const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
    expect(request(httpApiEvent({ headers: { traceparent } })).headers).toEqual({ traceparent });
    expect(request(httpApiEvent({ headers: { traceparent: 'none' } })).headers).toEqual({});
  });
});

describe('the caller', () => {
  it.each([
    ['a token', httpApiEvent, { jwt: { claims: { iss: 'https://a.test', sub: 'ann' } } }],
    ['an IAM identity', functionUrlEvent, { iam: { userArn: 'arn:aws:iam::123456789012:user/ann' } }],
    ['a Cognito identity', httpApiEvent, { iam: { cognitoIdentity: { identityId: 'id-1' } } }],
    ['a Lambda authorizer', httpApiEvent, { lambda: { principalId: 'ann' } }],
    ['a Cognito user pool', restApiEvent, { claims: { iss: 'https://a.test', sub: 'ann' } }],
    ['a Lambda authorizer of a REST API', restApiEvent, { principalId: 'ann' }],
    [
      'an IAM identity of VPC Lattice',
      latticeEvent2,
      { type: 'AWS_IAM', principal: 'arn:aws:iam::1:role/ann' },
    ],
    ['a Cognito user pool of AppSync', appSyncEvent, { sub: 'ann', issuer: 'https://a.test' }],
    ['an OIDC provider of AppSync', appSyncEvent, { claims: { sub: 'ann', iss: 'https://a.test' } }],
    [
      'a Cognito identity of AppSync',
      appSyncEvent,
      { cognitoIdentityId: 'id-1', userArn: 'arn:aws:sts::1:a' },
    ],
    ['an IAM identity of AppSync', appSyncEvent, { userArn: 'arn:aws:iam::123456789012:user/ann' }],
  ])('comes from %s', (_, eventOf, authorizer) => {
    const other = JSON.parse(JSON.stringify(authorizer).replace(/ann|id-1/, 'bob'));
    expect(idOf(eventOf(keyed({ authorizer })))).not.toBe(idOf(eventOf(keyed({ authorizer: other }))));
  });

  it.each([
    ['an IAM identity', { userArn: 'arn:aws:iam::123456789012:user/ann' }],
    ['a Cognito identity', { cognitoIdentityId: 'ann' }],
  ])('comes from %s of a REST API', (_, identity) => {
    const of = (identity: object) => {
      const event = restApiEvent({ ...keyed(), authorizer: {} });
      return idOf({
        ...event,
        requestContext: { ...(event as { requestContext: object }).requestContext, identity },
      });
    };
    const other = JSON.parse(JSON.stringify(identity).replace('ann', 'bob'));
    expect(of(identity)).not.toBe(of(other));
  });

  it('with the same subject is another one for another issuer', () => {
    const of = (iss: string) =>
      idOf(httpApiEvent(keyed({ authorizer: { jwt: { claims: { iss, sub: 'ann' } } } })));
    expect(of('https://a.test')).not.toBe(of('https://b.test'));
  });

  it('is never taken from headers, which anybody can send', () => {
    const event = albEvent({ headers: { 'idempotency-key': 'k1', 'x-amzn-oidc-identity': 'ann' } });
    expect(() => request(event)).toThrow(
      "Give a function of the event that returns the caller, or scope: 'public'",
    );
  });

  it.each([
    ['none', undefined, 'no authorizer of the API tells who sent it'],
    ['an empty one', () => '', 'it returned no caller'],
    ['undefined', () => undefined, 'it returned no caller'],
    ['a number', () => 7 as never, 'it returned 7'],
  ])('that is %s is refused, with a remedy', (_, caller, problem) => {
    const event = httpApiEvent({ ...keyed(), authorizer: {} });
    expect(() => request(event, { caller })).toThrow(
      expect.objectContaining({ code: 'Configuration', message: expect.stringContaining(problem) }) as never,
    );
  });
});

/** The role session of every user of an identity pool. */
const poolArn = 'arn:aws:sts::123456789012:assumed-role/users/CognitoIdentityCredentials';

const withoutCaller: [string, unknown][] = [
  [
    'a function URL for the users of an identity pool',
    functionUrlEvent(keyed({ authorizer: { iam: { userArn: poolArn, cognitoIdentity: null } } })),
  ],
  [
    'VPC Lattice for the users of an identity pool',
    latticeEvent2(keyed({ authorizer: { type: 'AWS_IAM', principal: poolArn } })),
  ],
  ['AppSync for the users of an identity pool', appSyncEvent(keyed({ authorizer: { userArn: poolArn } }))],
  ['an HTTP API without an authorizer', httpApiEvent({ ...keyed(), authorizer: {} })],
  ['ALB', albEvent(keyed())],
  ['VPC Lattice, version 1', latticeEvent(keyed())],
  [
    'VPC Lattice without authentication',
    latticeEvent2({ ...keyed(), authorizer: { type: 'NONE', principal: 'ann' } }),
  ],
  ['a REST API without its context', bareEvent(keyed())],
  ['an HTTP API without its context', bareHttpApiEvent(keyed())],
  ['AppSync with an API key', appSyncEvent({ ...keyed(), authorizer: null as never })],
  [
    'AppSync with a Lambda authorizer',
    appSyncEvent({ ...keyed(), authorizer: { resolverContext: { sub: 'ann' } } }),
  ],
  [
    'a batch of AppSync with two callers',
    [appSyncEvent(keyed()), appSyncEvent({ ...keyed(), authorizer: { sub: 'bob' } })],
  ],
  ['a WebSocket API without an authorizer', webSocketEvent('k1', { authorizer: {} })],
  ['a mapping template of AppSync', { field: 'placeOrder', arguments: { key: 'k1' } }],
  ['a direct invocation', { orderId: '42', key: 'k1' }],
  ['a direct invocation with a list', [{ orderId: '42', key: 'k1' }]],
  ['a direct invocation with a string', 'k1'],
  ['SNS', { Records: [{ EventSource: 'aws:sns', Sns: { MessageId: 'm1', Message: 'k1' } }] }],
  ['S3', { Records: [{ eventSource: 'aws:s3', s3: { object: { key: 'k1' } } }] }],
  ['SES', { Records: [{ eventSource: 'aws:ses', ses: { mail: { messageId: 'k1' } } }] }],
  ['Kafka', { eventSource: 'aws:kafka', records: { 'orders-0': [{ key: 'k1', headers: [] }] } }],
  ['a Cognito trigger', { triggerSource: 'PostConfirmation_ConfirmSignUp', userName: 'k1', request: {} }],
  ['a destination of another function', { requestContext: { requestId: 'r1' }, responsePayload: 'k1' }],
  ['an event that only calls itself one of EventBridge', { id: 'e1', source: 'shop', detail: {} }],
  ['a list that is only in part of a service', [sqsMessage('m1', 'k1'), { key: 'k1' }]],
];

const ofService: [string, unknown][] = [
  ['EventBridge', eventBridgeEvent('e1')],
  ['SQS', sqsMessage('m1', '{}')],
  ['a batch of SQS', { Records: [sqsMessage('m1', '{}')] }],
  ['a pipe from SQS', [sqsMessage('m1', '{}')]],
  ['a schedule', { scheduleArn: 'arn:aws:scheduler:eu-central-1:1:schedule/default/a', scheduledTime: 't1' }],
  ['Kinesis', { eventSource: 'aws:kinesis', eventID: 'shardId-0:1', eventSourceARN: 'arn:a' }],
  [
    'DynamoDB Streams',
    { eventSource: 'aws:dynamodb', eventID: '1', eventSourceARN: 'arn:a', eventName: 'INSERT' },
  ],
];

describe('a key without a caller', () => {
  const anyKey = { idempotencyKey: () => 'k1' };

  it.each(withoutCaller)('is refused for all but events of a service: %s', (_, event) => {
    expect(() => request(event, anyKey)).toThrow(
      expect.objectContaining({
        code: 'Configuration',
        facts: expect.objectContaining({
          setting: 'caller',
          remedy: expect.stringContaining("scope: 'public'"),
        }),
      }) as never,
    );
    const [ann, bob] = ['ann', 'bob'].map((who) => idOf(event, { ...anyKey, caller: () => who }));
    const shared = request(event, { ...anyKey, scope: 'public' });
    expect(shared.isRepeatable).toBe(true);
    expect(new Set([ann, bob, shared.id]).size).toBe(3);
  });

  it.each(ofService)('is that of all events of a service: %s', (_, event) => {
    const one = request(event, anyKey, 'r1', 'audit');
    expect(one).toMatchObject({ isRepeatable: true, content: undefined, http: undefined });
    expect(idOf(event, anyKey, 'r2', 'audit')).toBe(one.id);
    expect(idOf(event, { ...anyKey, caller: () => 'ann' }, 'r1', 'audit')).not.toBe(one.id);
  });
});

describe('a request of a GraphQL API', () => {
  it('is told by its type and field, its arguments and the object that it is of', () => {
    const one = request(appSyncEvent(keyed()), {}, 'r1', 'api');
    expect(one).toMatchObject({ isRepeatable: true, type: 'Mutation.placeOrder', http: undefined });
    const event = appSyncEvent(keyed());
    const again = { ...event, info: { ...event.info, selectionSetList: ['id', 'total'] } };
    expect(request(again, {}, 'r2', 'moved')).toEqual(one);
    expect(idOf(appSyncEvent(keyed({ path: 'cancelOrder' })))).not.toBe(one.id);
    expect(idOf(appSyncEvent(keyed({ method: 'Query' })))).not.toBe(one.id);
    expect(idOf(appSyncEvent(keyed({}, 'k2')))).not.toBe(one.id);
    const contentOf = (parts: object) => request(appSyncEvent({ ...keyed(), ...parts })).content;
    expect(contentOf({ arguments: { orderId: '43' } })).not.toEqual(one.content);
    expect(contentOf({ source: { orderId: '42' } })).not.toEqual(one.content);
  });

  it('is told by the same in a batch, and in the form of Amplify', () => {
    const batch = (...orders: string[]) =>
      orders.map((orderId) => appSyncEvent({ ...keyed(), arguments: { orderId } }));
    const one = request(batch('1', '2'));
    expect(one).toMatchObject({ isRepeatable: true, type: 'Mutation.placeOrder' });
    expect(request(batch('1', '2'))).toEqual(one);
    expect(request(batch('1', '3')).content).not.toEqual(one.content);
    const { info, ...event } = appSyncEvent(keyed());
    const amplify = { ...event, typeName: info.parentTypeName, fieldName: info.fieldName };
    expect(idOf(amplify)).toBe(idOf(appSyncEvent(keyed())));
  });

  it('without a key has the request id of Lambda, which tries an asynchronous one again', () => {
    const one = request(appSyncEvent(), {}, 'r1');
    expect(one.isRepeatable).toBe(true);
    expect(idOf(appSyncEvent(), {}, 'r1')).toBe(one.id);
    expect(idOf(appSyncEvent(), {}, 'r2')).not.toBe(one.id);
  });
});

describe('a message of a WebSocket API', () => {
  const byBody = { idempotencyKey: (event: { body: string }) => JSON.parse(event.body).key as string };

  it('is told by its route and its caller, on whichever connection it comes', () => {
    const one = request(webSocketEvent('k1'), byBody, 'r1', 'api');
    expect(one).toMatchObject({
      isRepeatable: true,
      type: 'MESSAGE placeOrder',
      http: { answersInLists: false },
    });
    expect(request(webSocketEvent('k1', { connectionId: 'c-2' }), byBody, 'r2', 'moved')).toEqual(one);
    expect(idOf(webSocketEvent('k1', { path: 'cancelOrder' }), byBody)).not.toBe(one.id);
    expect(idOf(webSocketEvent('k1', { authorizer: { principalId: 'bob' } }), byBody)).not.toBe(one.id);
    const other = request(webSocketEvent('k1', { body: '{"key":"k1","total":2}' }), byBody);
    expect([other.id, other.content]).toEqual([one.id, expect.not.objectContaining(one.content as object)]);
  });

  it('without a key is new', () => {
    expect(request(webSocketEvent('k1'), { idempotencyKey: undefined }, 'r1')).toMatchObject({ id: 'new' });
  });
});

describe('an event that looks like an HTTP request', () => {
  const headers = { 'idempotency-key': 'k1' };
  it.each([
    [{ headers, body: '{}' }, 'event.headers'],
    [{ httpMethod: 'POST', body: '{}' }, 'event.httpMethod'],
    [{ path: '/orders', multiValueHeaders: {} }, 'event.multiValueHeaders'],
    [{ body: '{}', pathParameters: { id: '1' } }, 'event.pathParameters'],
    [{ body: 'e30=', isBase64Encoded: true }, 'event.isBase64Encoded'],
    [{ body: '{}', requestContext: { httpMethod: 'POST' } }, 'event.requestContext.httpMethod'],
    [{ body: '{}', requestContext: { http: { path: '/orders' } } }, 'event.requestContext.http'],
    [{ body: '{}', requestContext: { routeKey: 'placeOrder' } }, 'event.requestContext.routeKey'],
    [{ rawPath: '/orders', routeKey: '$default' }, 'event.rawPath'],
    [{ version: '2.0', rawPath: '/orders', routeKey: 'ANY /orders', headers }, 'event.rawPath'],
    [{ raw_path: '/orders' }, 'event.raw_path'],
    [{ 'body-json': {}, params: { header: headers } }, "event['body-json']"],
    [{ body: {}, params: { header: headers } }, 'event.params.header'],
    [{ method: 'POST', path: {}, headers, requestPath: '/orders' }, 'event.headers'],
    [{ field: 'placeOrder', request: { headers } }, 'event.request.headers'],
    [[{ field: 'placeOrder', request: { headers } }], 'event[0].request.headers'],
    [[appSyncEvent(), appSyncEvent({ path: 'cancelOrder' })], 'event[0].request.headers'],
    [{ Records: [{ cf: { request: { method: 'POST', uri: '/orders' } } }] }, 'event.Records[0].cf.request'],
    [{ getObjectContext: {}, userRequest: { url: 'https://a.test', headers } }, 'event.userRequest.headers'],
    [{ authorizationToken: 't', requestContext: {}, requestHeaders: headers }, 'event.requestHeaders'],
    [{ ...restApiEvent(), type: 'REQUEST', methodArn: 'arn:a' }, 'event.httpMethod'],
    [{ ...httpApiEvent(), type: 'REQUEST', routeArn: 'arn:a' }, 'event.rawPath'],
    [{ type: 'TOKEN', authorizationToken: 't', methodArn: 'arn:a' }, 'event.methodArn'],
    [{ messageVersion: '1.0', apiPath: '/orders', httpMethod: 'POST' }, 'event.httpMethod'],
  ])('in a form that tells no operation is refused, with a key or without: %j', (event, path) => {
    for (const rules of [{}, { idempotencyKey: undefined }, { scope: 'public' } as const]) {
      expect(() => request(event, rules, 'r1')).toThrow(
        expect.objectContaining({ code: 'UnknownHttpEvent', facts: { path } }) as never,
      );
    }
  });
});

describe('an operation', () => {
  const rules = { idempotencyKey: () => 'k1', scope: 'public' } as const;
  const ids = (event: unknown, given: RequestIdentityRules['operation'] | null, functionName?: string) =>
    idOf(event, { ...rules, ...(given && { operation: given }) }, 'r1', functionName);

  it.each([
    ['an HTTP request', httpApiEvent()],
    ['AppSync', appSyncEvent()],
    ...ofService,
    ['any event', { order: 7 }],
  ])('that is given is part of the identity: %s', (_, event) => {
    const [charge, ship, none] = [ids(event, 'charge'), ids(event, 'ship'), ids(event, null)];
    expect(new Set([charge, ship, none]).size).toBe(3);
    expect(ids(event, 'charge', 'another function')).toBe(charge);
  });

  it.each([
    ['an HTTP request', httpApiEvent()],
    ['AppSync', appSyncEvent()],
    ['WebSocket', webSocketEvent('k1')],
  ])('is that of its route, which may move to another function: %s', (_, event) => {
    expect(ids(event, null, 'orders')).toBe(ids(event, null, 'orders-2'));
  });

  it.each([...ofService, ['any event', { order: 7 }]])(
    'is the function of any other event: %s',
    (_, event) => {
      expect(ids(event, null, 'audit')).not.toBe(ids(event, null, 'notify'));
    },
  );

  it('is told apart by the type of an event', () => {
    const placed = eventBridgeEvent('e1');
    expect(ids({ ...placed, 'detail-type': 'OrderCancelled' }, null)).not.toBe(ids(placed, null));
  });
});

describe('a request without a key', () => {
  it('over HTTP is new, also in one invocation', () => {
    expect(request(httpApiEvent(), {}, 'r1')).toMatchObject({ id: 'new', isRepeatable: false });
    expect(request(httpApiEvent())).toMatchObject({ id: 'new', isRepeatable: false });
  });

  it('is refused when a key is required', () => {
    const code = (event: unknown) => {
      try {
        return request(event, { requireIdempotencyKey: true }).id;
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    expect([code(httpApiEvent()), code(eventBridgeEvent('e1'))]).toEqual(
      Array(2).fill('IdempotencyKeyMissing'),
    );
  });

  it('has the id of its EventBridge event, for each function of the endpoint', () => {
    const one = request(eventBridgeEvent('e1'), {}, 'r1', 'audit');
    expect(one).toMatchObject({ isRepeatable: true, type: 'OrderPlaced', content: undefined });
    expect(idOf(eventBridgeEvent('e1'), {}, 'r2', 'audit')).toBe(one.id);
    expect(idOf(eventBridgeEvent('e2'), {}, 'r1', 'audit')).not.toBe(one.id);
    expect(idOf(eventBridgeEvent('e1'), {}, 'r1', 'notify')).not.toBe(one.id);
    expect(idOf(eventBridgeEvent('e1'), { endpoint: 'billing' }, 'r1', 'audit')).not.toBe(one.id);
  });

  it('has the id of its record of a stream, and another one in another stream', () => {
    const record = (eventSourceARN: string, eventID: string) => ({
      eventSource: 'aws:kinesis',
      eventID,
      eventSourceARN,
      eventName: 'aws:kinesis:record',
    });
    const id = idOf(record('arn:a', 'shardId-0:1'), {}, 'r1');
    expect(idOf(record('arn:a', 'shardId-0:1'), {}, 'r2')).toBe(id);
    expect(idOf(record('arn:b', 'shardId-0:1'), {}, 'r1')).not.toBe(id);
    expect(idOf(record('arn:a', 'shardId-0:2'), {}, 'r1')).not.toBe(id);
  });

  it('has the id of its message of SQS, and another one in another queue', () => {
    const one = request(sqsMessage('m1', '{}'), {}, 'r1');
    expect(one).toMatchObject({ isRepeatable: true, type: 'aws:sqs' });
    const again = {
      ...sqsMessage('m1', '{}'),
      receiptHandle: 'another',
      attributes: { ApproximateReceiveCount: '2' },
    };
    expect(idOf(again, {}, 'r2')).toBe(one.id);
    expect(idOf({ ...again, eventSourceARN: 'arn:b' }, {}, 'r2')).not.toBe(one.id);
    expect(idOf(sqsMessage('m2', '{}'), {}, 'r1')).not.toBe(one.id);
  });

  it('has the id of its occurrence of a schedule, if the input carries it', () => {
    const scheduleArn = 'arn:aws:scheduler:eu-central-1:123456789012:schedule/default/nightly';
    const at = (more: object, requestId: string) => idOf({ scheduleArn, ...more }, {}, requestId);
    const first = at({ scheduledTime: '2026-11-24T02:00:00Z', executionId: 'x1' }, 'r1');
    expect(at({ scheduledTime: '2026-11-24T02:00:00Z', executionId: 'x2' }, 'r2')).toBe(first);
    expect(at({ scheduledTime: '2026-11-25T02:00:00Z', executionId: 'x1' }, 'r1')).not.toBe(first);
    expect(at({ executionId: 'x1' }, 'r1')).toBe(at({ executionId: 'x1' }, 'r2'));
    expect(at({}, 'r1')).not.toBe(at({}, 'r2'));
    // Step Functions has execution ids too, which several invocations share.
    expect(idOf({ executionId: 'x1' }, {}, 'r1')).not.toBe(idOf({ executionId: 'x1' }, {}, 'r2'));
  });

  it.each([[null], [undefined], [7], ['text'], [[]], [{ id: 'e1', source: 'shop' }], [{ id: 7 }]])(
    'that is %j is the same when Lambda tries its invocation again',
    (event) => {
      const one = request(event, {}, 'r1');
      expect(one).toMatchObject({ isRepeatable: true, type: 'Event' });
      expect(idOf(event, {}, 'r1')).toBe(one.id);
      expect(idOf(event, {}, 'r2')).not.toBe(one.id);
      expect(idOf({ another: 'record' }, {}, 'r1')).not.toBe(one.id);
      expect(request(event)).toMatchObject({ id: 'new', isRepeatable: false });
    },
  );

  it('that no JSON holds is new', () => {
    expect(request({ total: 1n }, {}, 'r1')).toMatchObject({ id: 'new', isRepeatable: false });
  });
});

describe('a key function', () => {
  it('identifies any event, and the rest of an event that no service made is compared', () => {
    const rules = { idempotencyKey: (event: { order: string }) => event.order, scope: 'public' } as const;
    const one = request({ order: '42', at: 1 }, rules, 'r1');
    expect(one).toMatchObject({ isRepeatable: true, content: { order: '42', at: 1 } });
    expect(request({ at: 1, order: '42' }, rules, 'r2')).toEqual(one);
    const other = request({ order: '42', at: 2 }, rules, 'r2');
    expect([other.id, other.content]).toEqual([one.id, { order: '42', at: 2 }]);
    expect(idOf({ order: '42', at: 1 }, rules, 'r1', 'notify')).not.toBe(one.id);
    const byCaller = { idempotencyKey: rules.idempotencyKey, caller: () => 'ann' };
    expect(idOf({ order: '42', at: 1 }, byCaller, 'r2')).not.toBe(one.id);
  });

  it.each([
    ['', 'InvalidIdempotencyKey'],
    [7, 'Configuration'],
    [null, 'Configuration'],
  ])('that returns %j is refused', (key, code) => {
    expect(() => request(httpApiEvent(), { idempotencyKey: () => key as string })).toThrow(
      expect.objectContaining({ code }) as never,
    );
  });
});

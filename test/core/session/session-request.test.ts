import { describe, expect, it } from '@jest/globals';
import { differenceOf, fingerprintOf } from '../../../lib/core/incoming/fingerprint.ts';
import { idempotencyKeyHeader } from '../../../lib/core/session/idempotency-key.ts';
import { type RequestIdentityRules, sessionRequest } from '../../../lib/core/session/session-request.ts';
import {
  albEvent,
  eventBridgeEvent,
  functionUrlEvent,
  httpApiEvent,
  type RequestParts,
  restApiEvent,
} from '../../support/http-events.ts';

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
    ['none', undefined, 'no authorizer'],
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
  it('identifies any event, whatever else is in it', () => {
    const rules = { idempotencyKey: (event: { order: string }) => event.order };
    const one = request({ order: '42', at: 1 }, rules, 'r1');
    expect(one).toMatchObject({ isRepeatable: true, content: undefined });
    expect(idOf({ order: '42', at: 2 }, rules, 'r2')).toBe(one.id);
    expect(idOf({ order: '42', at: 1 }, rules, 'r1', 'notify')).not.toBe(one.id);
    expect(idOf({ order: '42', at: 1 }, { ...rules, caller: () => 'ann' }, 'r2')).not.toBe(one.id);
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

import { describe, expect, it } from '@jest/globals';
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

function request(event: unknown, rules: Partial<RequestIdentityRules> = {}, requestId?: string) {
  return sessionRequest(event, { ...byHeader, ...rules }, requestId, () => 'new');
}

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
  it('over HTTP is new, with the request id of Lambda', () => {
    expect(request(httpApiEvent(), {}, 'r1')).toMatchObject({ id: 'r1', isRepeatable: false });
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

  it('has the id of its EventBridge event', () => {
    expect(request(eventBridgeEvent('e1'), {}, 'r1')).toMatchObject({
      id: 'e1',
      isRepeatable: true,
      type: 'OrderPlaced',
      content: undefined,
    });
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
    expect(at({}, 'r1')).toBe('r1');
    // Step Functions has execution ids too, which several invocations share.
    expect(idOf({ executionId: 'x1' }, {}, 'r1')).toBe('r1');
  });

  it.each([[null], [undefined], [7], ['text'], [[]], [{ id: 'e1', source: 'shop' }], [{ id: 7 }]])(
    'that is %j has the request id of Lambda',
    (event) => {
      expect(request(event, {}, 'r1')).toMatchObject({ id: 'r1', isRepeatable: true, type: 'Event' });
    },
  );
});

describe('a key function', () => {
  it('identifies any event, with its content', () => {
    const rules = { idempotencyKey: (event: { order: string }) => event.order };
    const one = request({ order: '42', at: 1 }, rules, 'r1');
    expect(one).toMatchObject({ isRepeatable: true, content: { order: '42', at: 1 } });
    expect(idOf({ order: '42', at: 2 }, rules, 'r2')).toBe(one.id);
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

import { describe, expect, it } from '@jest/globals';
import { eventDetail } from '../../lib/messages/wire-format/event-detail.ts';
import { wireAttributes, wireBody } from '../../lib/messages/wire-format/wire.ts';
import { SagaDraft } from '../../lib/saga/saga-draft.ts';
import type { Sending } from '../../lib/sending/sending.ts';
import { lastOf, refusalOf, refuses, unitOfWork } from './unit-of-work-of.ts';

const traceParent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

function sent(
  body: unknown,
  options: Parameters<ReturnType<typeof unitOfWork>['context']['send']>[3] = {},
  sending: Partial<Sending> = {},
  destination = 'billing',
) {
  const work = unitOfWork(undefined, { sending });
  work.context.send(destination, 'PriceChanged', body, options);
  return lastOf(work);
}

describe('publish', () => {
  const publishTo = { '*': 'topic', PriceChanged: 'bus' };

  it.each([
    ['PriceChanged', 'bus'],
    ['StockChanged', 'topic'],
    ['constructor', 'topic'],
  ])('sends %s to the destination of its type: %s', (type, destination) => {
    const work = unitOfWork(undefined, { sending: { publishTo } });
    work.context.publish(type, { price: 1 });
    expect(lastOf(work)).toMatchObject({ destination, type, body: { price: 1 } });
  });

  it('is refused where nothing is configured, with the remedy', () => {
    const { code, facts } = refusalOf(() => unitOfWork().context.publish('PriceChanged', {}));
    expect(code).toBe('Configuration');
    expect(facts).toEqual({
      setting: "publish 'PriceChanged'",
      problem: 'the endpoint publishes to no topic or event bus',
      remedy: expect.stringMatching(/publishesTo.*SAGABOX_PUBLISH_TO.*'publishTo'/),
    });
  });

  it('is refused where its destination is not configured', () => {
    const work = unitOfWork(undefined, { sending: { publishTo: { '*': 'gone' } } });
    expect(refusalOf(() => work.context.publish('PriceChanged', {})).code).toBe('Configuration');
  });
});

describe('a message to a topic', () => {
  it('that is FIFO needs a group', () => {
    refuses(() => sent({}, {}, {}, 'fifo-topic'), "pass 'messageGroupId'");
    expect(sent({}, { messageGroupId: 'a' }, {}, 'fifo-topic').messageGroupId).toBe('a');
  });
});

describe('an event', () => {
  it('has the body as its detail, and the headers in one property of it', () => {
    const message = sent({ price: 1 }, { headers: { tenant: 'a' } }, {}, 'bus');
    expect(eventDetail(message)).toEqual({
      price: 1,
      sagabox: {
        tenant: 'a',
        'Sagabox.MessageId': message.id,
        'Sagabox.MessageType': 'PriceChanged',
        'Sagabox.ConversationId': 'in-1',
        'Sagabox.CausationId': 'in-1',
        'Sagabox.ReplyTo': 'orders',
        'Sagabox.SentAt': '2026-01-02T03:04:05.678Z',
      },
    });
  });

  it.each([['a string'], [7], [null], [[1]], [true]])('is no %j: its detail is an object', (body) => {
    refuses(() => sent(body, {}, {}, 'bus'), 'JSON object');
    expect(() => sent(body, {}, {}, 'topic')).not.toThrow();
  });

  it('keeps the property of the headers for itself', () => {
    refuses(() => sent({ sagabox: 1 }, {}, {}, 'bus'), "property 'sagabox'");
    expect(() => sent({ sagabox: 1 }, { format: 'cloudevents' }, {}, 'bus')).not.toThrow();
  });

  it('has a type of up to 128 characters', () => {
    const send = (length: number) => unitOfWork().context.send('bus', 'x'.repeat(length), {});
    expect(() => send(128)).not.toThrow();
    refuses(() => send(129), '128 characters');
  });
});

describe('the CloudEvents format', () => {
  const event = {
    specversion: '1.0',
    source: 'urn:sagabox:endpoint:orders',
    type: 'PriceChanged',
    time: '2026-01-02T03:04:05.678Z',
    datacontenttype: 'application/json',
    conversationid: 'in-1',
    causationid: 'in-1',
    replyto: 'orders',
    tenant: 'a',
    data: { price: 1 },
  };

  it.each<[string, Parameters<typeof sent>[1], Partial<Sending>]>([
    ['of one message', { format: 'cloudevents', headers: { tenant: 'a' } }, {}],
    ['of the endpoint', { headers: { tenant: 'a' } }, { format: 'cloudevents' }],
  ])('is an option %s', (_of, options, sending) => {
    const message = sent({ price: 1 }, options, sending);
    expect(JSON.parse(wireBody(message))).toEqual({ ...event, id: message.id });
    expect(wireAttributes(message)['content-type']).toBe('application/cloudevents+json; charset=UTF-8');
    expect(eventDetail(message)).toEqual({ ...event, id: message.id });
  });

  it('can be left out for one message', () => {
    const message = sent({ price: 1 }, { format: 'plain' }, { format: 'cloudevents' });
    expect(wireBody(message)).toBe('{"price":1}');
    expect(wireAttributes(message)).not.toHaveProperty('content-type');
  });

  it('takes only headers on an event bus that it can carry', () => {
    const send = (name: string) => sent({}, { format: 'cloudevents', headers: { [name]: 'a' } }, {}, 'bus');
    expect(() => send('tenant')).not.toThrow();
    for (const name of ['x-tenant', 'Tenant', 'id', 'data']) {
      refuses(() => send(name), `extension attribute named '${name}'`);
    }
  });
});

describe('a header of the user in a CloudEvent', () => {
  it.each(['conversationid', 'saga', 'replyto', 'sagaboxtimeout', 'sagaboxclaimcheck'])(
    'does not stand in for one of sagabox: %s',
    (name) => {
      const send = (format: 'plain' | 'cloudevents') => sent({}, { format, headers: { [name]: 'a' } });
      refuses(() => send('cloudevents'), `header '${name}' has the name of`);
      expect(() => send('plain')).not.toThrow();
    },
  );

  it('may be the trace', () => {
    const message = sent({}, { format: 'cloudevents', headers: { traceparent: traceParent } });
    expect(JSON.parse(wireBody(message)).traceparent).toBe(traceParent);
  });

  it('that can be no extension attribute stays an attribute of the message, and changes nothing in the event', () => {
    const headers = { 'x-tenant': 'a', id: 'b' };
    const message = sent({}, { format: 'cloudevents', headers });
    const event = JSON.parse(wireBody(message));
    expect(event.id).toBe(message.id);
    expect(event).not.toHaveProperty('x-tenant');
    expect(wireAttributes(message)).toMatchObject(headers);
  });
});

describe('the headers', () => {
  it('hand on the trace of the message that was handled', () => {
    const work = unitOfWork({ traceparent: traceParent });
    work.context.send('billing', 'A', {});
    expect(lastOf(work).headers.traceparent).toBe(traceParent);
    work.context.send('billing', 'A', {}, { headers: { traceparent: 'of-the-handler' } });
    expect(lastOf(work).headers.traceparent).toBe('of-the-handler');
  });

  it('hand on no trace that a sender spoiled', () => {
    const work = unitOfWork({ traceparent: 'x'.repeat(2_000_000) });
    work.context.send('billing', 'A', {});
    expect(lastOf(work).headers).not.toHaveProperty('traceparent');
  });

  it('name the saga that sends, percent-encoded where SQS would refuse it', () => {
    const identity = { name: 'OrderSaga', id: 'a\u0000b' };
    const { timeouts } = new SagaDraft(
      { identity, stored: undefined, lease: undefined },
      { initialState: () => ({}) },
    );
    const work = unitOfWork(undefined, { saga: { identity, timeouts, messageTypes: [] } });
    work.context.send('billing', 'A', {});
    expect(lastOf(work).headers).toMatchObject({
      'Sagabox.Saga': 'OrderSaga',
      'Sagabox.CorrelationId': 'a%00b',
    });
  });

  it('leave the content type to sagabox', () => {
    refuses(() => sent({}, { headers: { 'Content-Type': 'text/plain' } }), 'reserved');
  });
});

describe('a body over the threshold of a claim check', () => {
  const sending = { claimCheckThresholdBytes: 1000 };

  it('may be larger than any limit', () => {
    for (const destination of ['billing', 'topic', 'bus']) {
      expect(() => sent({ text: 'x'.repeat(2 * 1024 * 1024) }, {}, sending, destination)).not.toThrow();
    }
  });

  it('is not needed by what is too large for its destination: that goes to the bucket too', () => {
    const highThreshold = { claimCheckThresholdBytes: 1024 * 1024 };
    const body = { text: 'x'.repeat(300 * 1024) };
    for (const destination of ['topic', 'orders']) {
      expect(() => sent(body, {}, highThreshold, destination)).not.toThrow();
      expect(() => sent(body, {}, {}, destination)).toThrow(/over the 262144 that/);
    }
    expect(() => sent(body, { delay: { hours: 1 } }, { ...highThreshold, schedules: true })).not.toThrow();
    expect(() => sent(body, { delay: { hours: 1 } }, { schedules: true })).toThrow(/in a schedule, over/);
  });
});

describe('the headers of a message whose body is stored in the bucket', () => {
  const sending = { claimCheckThresholdBytes: 1000, schedules: true };
  const large = 'x'.repeat(2000);
  const send = (headerBytes: number, options: object = {}) =>
    sent(large, { headers: { a: 'h'.repeat(headerBytes) }, ...options }, sending);

  it('count against the limit of the transport', () => {
    expect(() => send(1024 * 1024 - 4000)).not.toThrow();
    refuses(() => send(1024 * 1024), /over the 1048576 of SQS/);
  });

  it('count against the limit of a schedule', () => {
    const delay = { hours: 1 };
    expect(() => send(250_000, { delay })).not.toThrow();
    refuses(() => send(300_000, { delay }), /over the 262144 of EventBridge Scheduler/);
  });
});

describe('options of the wrong kind', () => {
  it.each<[string, object, string]>([
    ['headers', { headers: null }, 'headers are null, not an object of strings'],
    ['headers', { headers: 'a' }, 'headers are a string, not an object of strings'],
    ['a format', { format: 'cloudevent' }, 'its format is "cloudevent", none of plain, cloudevents'],
    ['a delay', { delay: { hour: 1 } }, "'hour' is no unit of time"],
    ['a delay', { delay: { minutes: '5' } }, 'its minutes are "5", not a finite number'],
  ])('are refused: %s', (_kind, options, detail) => {
    refuses(() => sent({}, options), detail);
  });
});

describe('sendImmediately', () => {
  it('is dispatched at once, apart from what the commit takes', async () => {
    const dispatched: string[] = [];
    const work = unitOfWork(undefined, {
      dispatchNow: async ({ type }) => void dispatched.push(type),
    });
    await work.context.sendImmediately('billing', 'Progress', { percent: 50 });
    expect(dispatched).toEqual(['Progress']);
    expect(work.operations).toEqual([]);
  });

  it('that is awaited has its error', async () => {
    const work = unitOfWork(undefined, { dispatchNow: () => Promise.reject(new Error('SQS is away')) });
    await expect(work.context.sendImmediately('billing', 'A', {})).rejects.toThrow('SQS is away');
  });

  it('refuses what send refuses, and takes nothing once the handler has returned', async () => {
    const work = unitOfWork();
    await expect(work.context.sendImmediately('nobody', 'A', {})).rejects.toMatchObject({
      code: 'Configuration',
    });
    work.seal();
    await expect(work.context.sendImmediately('billing', 'A', {})).rejects.toThrow('already returned');
  });
});

import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { idempotencyKeyHeader, SagaboxError, streamBatch } from 'sagabox';
import { runOutboxSession } from '../../lib/compose/session/run-outbox-session.ts';
import { sessionRequest } from '../../lib/session/session-request.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { anyText } from '../support/any-text.ts';
import { albEvent, httpApiEvent, restApiEvent } from '../support/http-events.ts';
import { memoryPorts } from '../support/memory-flow.ts';
import { sampled } from '../support/samples.ts';

const rules = { endpoint: 'orders', idempotencyKey: idempotencyKeyHeader() };
const anything = fc.anything({ withNullPrototype: true, withSparseArray: true });

/** An event with one of its fields, at any depth, replaced by anything. */
const damagedEvents = fc
  .tuple(
    fc.constantFrom(httpApiEvent, restApiEvent, (parts: object) => albEvent(parts, true)),
    fc.nat(),
    anything,
  )
  .map(([eventOf, place, value]) => {
    const event = eventOf({ headers: { 'idempotency-key': 'k1' } });
    const places = placesIn(event);
    const [parent, name] = places[place % places.length] as [Record<string, unknown>, string];
    parent[name] = value;
    return event;
  });

function placesIn(value: object): [object, string][] {
  return Object.entries(value).flatMap(([name, inner]) => [
    [value, name] as [object, string],
    ...(typeof inner === 'object' && inner !== null ? placesIn(inner) : []),
  ]);
}

function codeOrId(read: () => { id: string }): string {
  try {
    return read().id;
  } catch (error) {
    if (error instanceof SagaboxError) return error.code;
    throw error;
  }
}

describe('a session is given', () => {
  it('any value as its event: it has an id, or an error with a code', () => {
    fc.assert(
      fc.property(fc.oneof(anything, damagedEvents), (event) => {
        expect(codeOrId(() => sessionRequest(event, rules, { awsRequestId: 'r1' }, () => 'new'))).toMatch(
          /./,
        );
      }),
      sampled(150),
    );
  });

  it('any string as the header of its key: a key, or InvalidIdempotencyKey', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          anyText(),
          fc.string().map((text) => `"${text}"`),
        ),
        (header) => {
          const event = httpApiEvent({ headers: { 'idempotency-key': header } });
          const result = codeOrId(() => sessionRequest(event, rules, { awsRequestId: 'r1' }, () => 'new'));
          expect(result === 'InvalidIdempotencyKey' || /^[\da-f-]{36}$/.test(result)).toBe(true);
        },
      ),
      sampled(150),
    );
  });

  it.each([
    ['names of what every object inherits', '{"__proto__":{"a":1},"constructor":1}'],
    ['a nesting of 50,000', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['half of a character', '"\\ud800"'],
    ['no JSON', '{"a":'],
    ['a megabyte', `"${'x'.repeat(1_000_000)}"`],
  ])('a body of %s: it is answered once and again', async (_, body) => {
    const { ports, dispatcher } = memoryPorts('orders');
    const run = () =>
      runOutboxSession(
        httpApiEvent({ headers: { 'idempotency-key': 'k1' }, body }),
        (_event, { send }) => {
          send('billing', 'Placed', {});
          return { statusCode: 201 };
        },
        {
          ...rules,
          destinations: { billing: 'https://queues.test/billing' },
          logger: silentLogger,
          ports,
        },
      );
    expect([await run(), await run()]).toEqual([{ statusCode: 201 }, { statusCode: 201 }]);
    expect(dispatcher.sent).toHaveLength(1);
  });

  it('any value as a batch of a stream: InvalidEvent, or a record that is returned', async () => {
    const { ports } = memoryPorts('orders');
    const handle = streamBatch(() => {}, { endpoint: 'orders', logger: silentLogger, ports });
    const records = fc.record({ Records: fc.array(anything, { maxLength: 3 }) });
    await fc.assert(
      fc.asyncProperty(fc.oneof(anything, records), async (event) => {
        const refused = await handle(event).then(
          () => undefined,
          (error: SagaboxError) => error.code,
        );
        expect(refused).toBe('InvalidEvent');
      }),
      sampled(100),
    );
  });
});

import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { SagaboxError } from '../../lib/kernel/errors/errors.ts';
import type { OutgoingMessage } from '../../lib/messages/message.ts';
import { pack, unpack } from '../../lib/outbox/packing.ts';
import { PendingTimeouts } from '../../lib/sending/pending-timeouts.ts';
import type { UnitOfWorkContext } from '../../lib/sending/unit-of-work-context.ts';
import { unitOfWork } from '../sending/unit-of-work-of.ts';
import { sampled } from '../support/samples.ts';

const identity = { endpoint: 'orders', messageId: 'in-1' };
type Call = (context: UnitOfWorkContext) => unknown;

/** What JavaScript gives where TypeScript would not. */
const odd = fc.constantFrom<unknown>(undefined, null, '', 0, -1, 7, 2.5, Number.NaN, true, [], ['a'], {});

const seconds = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(-1, -0, 0, 0.001, 1, 899.9, 900, 900.001, 86_400, 366 * 86_400) },
  { weight: 4, arbitrary: fc.double({ min: -10, max: 366 * 86_400 }) },
  { weight: 1, arbitrary: odd },
);
const duration = fc.oneof({ weight: 8, arbitrary: fc.record({ seconds }) }, { weight: 1, arbitrary: odd });
const headers = fc.dictionary(
  fc.constantFrom('tenant', 'traceparent', '__proto__', 'a.b', 'x'),
  fc.string(),
  {
    maxKeys: 3,
  },
);
const options = fc.record(
  {
    delay: duration,
    messageGroupId: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('g', 'x'.repeat(128)) },
      fc.string(),
      odd,
    ),
    format: fc.oneof({ weight: 8, arbitrary: fc.constantFrom('plain', 'cloudevents') }, odd),
    headers: fc.oneof({ weight: 8, arbitrary: headers }, odd),
  },
  { requiredKeys: [] },
);

const destination = fc.constantFrom('orders', 'billing', 'ledger', 'topic', 'fifo-topic', 'bus');
const type = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('Reminder', 'Charge', '__proto__') },
  fc.string(),
);
const body = fc.oneof(fc.constant({ amount: 5 }), fc.jsonValue(), odd);

const call: fc.Arbitrary<Call> = fc.oneof(
  fc.tuple(fc.constantFrom('send', 'sendImmediately'), destination, type, body, options).map(
    ([way, ...parameters]): Call =>
      (context) =>
        (context[way as 'send'] as (...values: unknown[]) => unknown)(...parameters),
  ),
  fc.tuple(fc.constantFrom('publish', 'reply'), type, body, options).map(
    ([way, ...parameters]): Call =>
      (context) =>
        (context[way as 'reply'] as (...values: unknown[]) => unknown)(...parameters),
  ),
  fc.tuple(body, duration).map(
    ([sent, after]): Call =>
      ({ requestTimeout }) =>
        requestTimeout('Reminder', sent, { after } as never),
  ),
  fc.constant<Call>(({ cancelTimeout }) => cancelTimeout('Reminder')),
);

const isOurs = (error: unknown) => {
  if (!(error instanceof SagaboxError)) throw error;
};

it('whatever a handler sends is refused at once, or read from its record as it was sent', async () => {
  const kinds = new Set<string>();
  const origins = fc.record({
    schedules: fc.boolean(),
    isSaga: fc.boolean(),
    format: fc.constantFrom('plain', 'cloudevents'),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { minLength: 1, maxLength: 6 }),
      origins,
      async (calls, { schedules, isSaga, format }) => {
        const immediate: OutgoingMessage[] = [];
        const earlier = { id: 'earlier', type: 'Reminder', scheduled: true };
        const saga = {
          identity: { name: 'Order', id: '42' },
          timeouts: new PendingTimeouts([earlier]),
          messageTypes: ['Reminder'],
        };
        const work = unitOfWork(undefined, {
          ...(isSaga && { saga }),
          sending: { schedules, format, publishTo: { '*': 'topic', Charge: 'bus' } },
          dispatchNow: async (message) => void immediate.push(message),
        });
        for (const make of calls) {
          try {
            await make(work.context);
          } catch (error) {
            isOurs(error);
          }
        }
        const sent = [...work.operations, ...immediate];
        // Of headers the order counts too: folded ones are written out in it.
        expect(JSON.stringify(unpack(pack(sent, identity), 's', identity))).toBe(JSON.stringify(sent));
        for (const operation of sent) for (const name of Object.keys(operation)) kinds.add(name);
      },
    ),
    sampled(1500),
  );
  expect([...kinds].toSorted()).toEqual(
    [
      'body',
      'cancels',
      'delaySeconds',
      'destination',
      'dueAt',
      'format',
      'hasCreationContext',
      'headers',
      'id',
      'messageGroupId',
      'type',
    ].toSorted(),
  );
});

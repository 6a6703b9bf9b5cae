import { types } from 'node:util';
import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { headerNames } from '../../../lib/messages/headers.ts';
import type { OutgoingMessage } from '../../../lib/messages/message.ts';
import { isNestedDeeper } from '../../../lib/sending/nesting.ts';
import type { SendOptions } from '../../../lib/sending/unit-of-work-context.ts';
import { fuzzTimeoutMs, holdsForAll } from '../fuzz.ts';
import { hostileString, inheritedName, ownProperties } from '../hostile-values.ts';
import { expectAllCoded, expectAllOrNothing } from '../ledger-checks.ts';
import { type Maker, nestedMaker, oddString, oddValue } from '../odd-values.ts';
import { deliverTo, isDone, subjectOf } from './odd-saga.ts';

jest.setTimeout(fuzzTimeoutMs);

/** As deep as a body may be nested. */
const DEEPEST_BODY = 500;

const constant =
  (value: unknown): Maker =>
  () =>
    value;

const ways = ['send', 'publish', 'reply', 'requestTimeout', 'cancelTimeout'] as const;

interface Call {
  readonly way: (typeof ways)[number];
  readonly destination: Maker;
  readonly type: Maker;
  readonly body: Maker;
  readonly options: Maker;
}

const nameOf = (...known: string[]) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...known).map(constant) },
    { weight: 1, arbitrary: oddString },
    { weight: 1, arbitrary: oddValue },
  );

const goodOptions: Record<string, unknown> = {
  headers: { tenant: 'a', traceparent: 'b' },
  messageGroupId: 'group',
  delay: { seconds: 5 },
  format: 'cloudevents',
  after: { minutes: 1 },
};

/** Good options, and one of them odd. */
const oneOddOption = fc
  .tuple(fc.subarray(Object.keys(goodOptions)), fc.constantFrom(...Object.keys(goodOptions)), oddValue)
  .map(
    ([names, name, make]): Maker =>
      () => ({
        ...ownProperties(names.map((good) => [good, goodOptions[good]])),
        [name]: make(),
      }),
  );

const headerName = fc.oneof(fc.constantFrom('tenant', 'a.b'), inheritedName, hostileString);
const oddHeaders = fc.array(fc.tuple(headerName, fc.oneof(oddString, oddValue)), { maxLength: 12 }).map(
  (headers): Maker =>
    () => ({
      after: { minutes: 1 },
      headers: ownProperties(headers.map(([name, make]) => [name, make()])),
    }),
);

const calls: fc.Arbitrary<Call> = fc.record({
  way: fc.constantFrom(...ways),
  destination: nameOf('billing', 'hostile'),
  type: nameOf('PendingRequest', 'Charge'),
  body: oddValue,
  options: fc.oneof(
    { weight: 2, arbitrary: fc.constant(constant(goodOptions)) },
    { weight: 3, arbitrary: oneOddOption },
    { weight: 1, arbitrary: oddHeaders },
    { weight: 1, arbitrary: oddValue },
  ),
});

const plain: Call = {
  way: 'send',
  destination: constant('billing'),
  type: constant('PendingRequest'),
  body: constant({ amount: 1 }),
  options: constant(undefined),
};

const examples: Call[] = [
  ...[DEEPEST_BODY, DEEPEST_BODY + 1, 2000, 3000, 4000].map((depth) => ({
    ...plain,
    body: nestedMaker(depth),
  })),
  ...ways.map((way) => ({ ...plain, way, options: constant(goodOptions) })),
];

function callOf({ way, destination, type, body, options }: Call) {
  return (context: object) => {
    const call = (context as Record<string, (...parameters: unknown[]) => void>)[way];
    call?.(...(way === 'send' ? [destination()] : []), type(), body(), ownOptions(way, options()));
  };
}

/** A timeout is told a time, and what is sent at once the rest; an option of the other is refused. */
function ownOptions(way: Call['way'], options: unknown): unknown {
  if (typeof options !== 'object' || options === null || types.isProxy(options)) return options;
  const isOwn = (name: string) => (name === 'after') === (way === 'requestTimeout');
  const foreign = Object.keys(goodOptions).filter((name) => !isOwn(name));
  return foreign.some((name) => Object.hasOwn(options, name))
    ? ownProperties(Object.entries(options).filter(([name]) => !foreign.includes(name)))
    : options;
}

/** Where what was sent in some way goes. */
function destinationOf({ way, destination }: Call): unknown {
  if (way === 'send') return destination();
  return way === 'requestTimeout' ? 'hostile' : 'billing';
}

/** What the handlers send besides: their traces. */
const isTrace = ({ type, body }: OutgoingMessage) =>
  type === 'Charge' && Object.hasOwn(Object(body), 'trace');

describe('what user code sends', () => {
  it('is sent as it was given, or refused with a code', async () => {
    const sentWays = new Set<string>();
    await holdsForAll(
      calls,
      100,
      async (call) => {
        const endpoint = subjectOf(callOf(call));
        const outcome = await deliverTo(endpoint);
        expectAllCoded(outcome.errors);
        expectAllOrNothing(endpoint);

        const done = isDone(outcome);
        if (done) sentWays.add(call.way);
        else expect(outcome.errors).not.toEqual([]);
        const sent = endpoint.dispatcher.sent.filter((message) => !isTrace(message));
        expect(sent).toHaveLength(done && call.way !== 'cancelTimeout' ? 1 : 0);
        for (const message of sent) {
          const put = endpoint.claimChecks.bodies.get(message.headers[headerNames.claimCheck] ?? '');
          expect(put ?? JSON.stringify(message.body)).toBe(JSON.stringify(call.body()));
          expectAsGiven(message, call);
        }
      },
      examples,
    );
    expect([...sentWays].toSorted()).toEqual(ways.toSorted());
  });
});

function expectAsGiven(sent: OutgoingMessage, call: Call): void {
  expect([sent.destination, sent.type]).toEqual([destinationOf(call), call.type()]);
  expect(isNestedDeeper(sent.body, DEEPEST_BODY)).toBe(false);

  const { headers, messageGroupId, format, delay, after } = (call.options() ?? {}) as SendOptions & {
    after?: unknown;
  };
  if (call.way === 'requestTimeout') {
    expect(after).toBeDefined();
    return;
  }
  for (const [name, value] of Object.entries(headers ?? {})) {
    expect(Object.getOwnPropertyDescriptor(sent.headers, name)?.value).toBe(value);
  }
  expect(sent.messageGroupId).toBe(messageGroupId);
  expect(sent.format).toBe(format === 'plain' ? undefined : format);
  if (delay === undefined) expect(sent.dueAt).toBeUndefined();
}

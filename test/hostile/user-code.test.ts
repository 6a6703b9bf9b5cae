import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { defineSaga, type SagaHandlerContext } from 'sagabox';
import { sqsRecord } from 'sagabox/testing';
import { z } from 'zod';
import { decodeFailure, describeError } from '../../lib/core/failure-facts.ts';
import { isNestedDeeper } from '../../lib/core/nesting.ts';
import { fuzzTimeoutMs, holdsForAll } from './fuzz.ts';
import type { AnyRecord } from './hostile-records.ts';
import { hostileText, inheritedName, ownProperties } from './hostile-values.ts';
import { expectSameState, keptState } from './kept-state.ts';
import { expectAllCoded, expectAllOrNothing, expectNothingLost } from './ledger-checks.ts';
import { ledgerSaga, userWrite } from './ledger-saga.ts';
import { memoryEndpoint } from './memory-endpoint.ts';
import { hostileThrown, type Maker, nestedMaker, oddThrown, oddValue } from './odd-values.ts';

type Context = SagaHandlerContext<{ handled: string[]; [name: string]: unknown }>;

/** A saga whose code is given, and a record for it. */
function subjectOf(
  run: (context: Context) => unknown,
  correlate: () => unknown = () => 'odd',
  validate = (value: unknown): unknown => value,
) {
  const saga = defineSaga({
    name: 'Odd',
    messages: { Asked: z.unknown().transform(validate) },
    correlate: { Asked: correlate as () => string },
    startedBy: ['Asked'],
    initialState: (): { handled: string[]; [name: string]: unknown } => ({ handled: [] }),
    handlers: {
      async Asked({ id }, context) {
        context.saga.state.handled.push(id);
        context.transaction.add(userWrite(id));
        await run(context);
        context.send('billing', 'Charge', { trace: id });
      },
    },
  });
  return memoryEndpoint([saga, ledgerSaga], { maxReceiveCount: 3 });
}

const asked = (id: string): AnyRecord => ({
  ...sqsRecord({ type: 'Asked', id, sqsMessageId: `sqs-${id}`, body: {} }),
});
const good: AnyRecord = {
  ...sqsRecord({ type: 'Counted', id: 'good', sqsMessageId: 'sqs-good', body: { counter: 'good', note: 1 } }),
};

/** Delivers a message to code that may do anything, beside one that nothing is wrong with. */
async function deliverTo(endpoint: ReturnType<typeof subjectOf>, ids: readonly string[] = ['m-1']) {
  const records = [...ids.map(asked), good];
  const outcome = await endpoint.deliver(records);
  expect(outcome.returned).not.toContain('sqs-good');
  expect(endpoint.states()).toContainEqual({ handled: ['good'], last: 1 });
  expectNothingLost(records, outcome, endpoint);
  return outcome;
}

/** Names that a copy could lose, or take for something else. */
const polluting: [string, Maker][] = [
  ['__proto__', () => 1],
  ['__proto__', () => ({ polluted: true })],
  ['constructor', () => ({ prototype: { polluted: true } })],
  ['inner', () => JSON.parse('{"__proto__":{"polluted":true}}')],
  ['inner', () => [JSON.parse('{"toString":1,"__proto__":null}')]],
];

/** As deep as a body may be nested. */
const DEEPEST_BODY = 500;

const text = hostileText.map(
  (value): Maker =>
    () =>
      value,
);

describe('what user code gives', () => {
  it(
    'as a correlation value makes a saga, or fails its message only, with a code',
    async () => {
      const numbers = fc.double().map(
        (value): Maker =>
          () =>
            value,
      );
      const long: Maker = () => 'k'.repeat(100_000);
      await holdsForAll(fc.oneof(oddValue, text, numbers, fc.constant(long)), 100, async (make) => {
        const endpoint = subjectOf(() => {}, make);
        expectAllCoded((await deliverTo(endpoint)).errors);
        expectAllOrNothing(endpoint);
      });
    },
    fuzzTimeoutMs,
  );

  it(
    'as a part of the state is kept as it is, or refused with a code',
    async () => {
      const names = fc.oneof(
        inheritedName,
        hostileText.filter((name) => name !== 'handled'),
      );
      await holdsForAll(
        fc.tuple(names, oddValue),
        120,
        async ([name, make]) => {
          const endpoint = subjectOf(({ saga }) => {
            saga.state = stateWith(saga.state, name, make());
          });
          expectAllCoded((await deliverTo(endpoint, ['m-1', 'm-2'])).errors);
          expectAllOrNothing(endpoint);
          const kept = keptState(endpoint, 'Odd', 'odd') as { handled: string[] } | undefined;
          if (kept === undefined) expect(endpoint.storage.records.size).toBe(1);
          else expectSameState(kept, stateWith({ handled: kept.handled }, name, make()));
        },
        polluting,
      );
    },
    fuzzTimeoutMs,
  );

  it(
    'as the whole state is kept as it is, or refused with a code',
    async () => {
      await holdsForAll(
        oddValue,
        60,
        async (make) => {
          const endpoint = subjectOf(({ saga }) => {
            if (!saga.isNew) saga.state = make() as typeof saga.state;
          });
          const { returned, errors } = await deliverTo(endpoint, ['m-1', 'm-2']);
          expectAllCoded(errors);
          const kept = keptState(endpoint, 'Odd', 'odd');
          const first = { handled: [returned.includes('sqs-m-1') ? 'm-2' : 'm-1'] };
          expectSameState(kept, returned.length > 0 ? first : make());
        },
        polluting.map(([, make]) => make),
      );
    },
    fuzzTimeoutMs,
  );

  it(
    'to send is sent, or refused with a code',
    async () => {
      const known = fc.constantFrom('billing', 'hostile', 'Charge', 'Asked').map(
        (name): Maker =>
          () =>
            name,
      );
      const anyText = fc.oneof({ weight: 3, arbitrary: known }, text, oddValue);
      const named = fc.constantFrom('headers', 'messageGroupId', 'delay', 'format', 'after');
      const options = fc.oneof(
        oddValue,
        fc.tuple(named, oddValue).map(
          ([name, make]): Maker =>
            () => ({ [name]: make() }),
        ),
        fc.array(fc.tuple(fc.oneof(inheritedName, hostileText), hostileText), { maxLength: 12 }).map(
          (headers): Maker =>
            () => ({ headers: ownProperties(headers) }),
        ),
      );
      const way = fc.constantFrom('send', 'publish', 'reply', 'requestTimeout', 'cancelTimeout');
      const calls = fc.tuple(way, anyText, anyText, oddValue, options);
      const deep = [DEEPEST_BODY, DEEPEST_BODY + 1, 2000, 3000, 4000].map(
        (depth): [string, Maker, Maker, Maker, Maker] => [
          'send',
          () => 'billing',
          () => 'Charge',
          nestedMaker(depth),
          () => undefined,
        ],
      );
      await holdsForAll(
        calls,
        150,
        async ([name, destination, type, body, given]) => {
          const endpoint = subjectOf((context) => {
            const call = context[name as 'send'] as (...parameters: unknown[]) => void;
            const to = name === 'send' ? [destination()] : [];
            call(...to, type(), body(), readable(given));
          });
          expectAllCoded((await deliverTo(endpoint)).errors);
          expectAllOrNothing(endpoint);
          for (const sent of endpoint.dispatcher.sent)
            expect(isNestedDeeper(sent.body, DEEPEST_BODY)).toBe(false);
        },
        deep,
      );
    },
    fuzzTimeoutMs,
  );

  it(
    'as a write of its own is written, or refused with a code',
    async () => {
      const around: ((make: Maker) => unknown)[] = [
        (make) => make(),
        (make) => ({ Put: make() }),
        (make) => ({ Put: { TableName: make(), Item: {} } }),
        (make) => ({ Put: { TableName: 'ledger', Item: make() } }),
        (make) => ({ Put: { TableName: 'ledger', Item: ownProperties([['__proto__', make()]]) } }),
        (make) => ({ Put: { TableName: 'ledger', Item: { a: { L: make() } } } }),
        (make) => ({ Put: { TableName: 'ledger', Item: { a: { M: make() } } } }),
        (make) => ({ Put: { TableName: 'ledger', Item: { a: { B: make(), N: make() } } } }),
        (make) => ({ Delete: { TableName: 'ledger', Key: make() } }),
        (make) => ({ Update: { TableName: 'ledger', Key: {}, ExpressionAttributeValues: make() } }),
      ];
      const items = fc.tuple(fc.constantFrom(...around), oddValue);
      await holdsForAll(items, 100, async ([wrap, make]) => {
        const endpoint = subjectOf(({ transaction }) => transaction.add(wrap(make) as never));
        expectAllCoded((await deliverTo(endpoint)).errors);
      });
    },
    fuzzTimeoutMs,
  );
});

/** Options that throw while they are read fail with an error of their own. */
function readable(make: Maker): unknown {
  try {
    return structuredClone(make());
  } catch {
    return undefined;
  }
}

function stateWith<S extends object>(state: S, name: string, value: unknown): S {
  return ownProperties([...Object.entries(state), [name, value]]) as S;
}

describe('what user code throws', () => {
  const places = ['handler', 'correlate', 'schema', 'toJSON'] as const;

  it(
    'anything, anywhere: the message is in the error queue or returned, and no other is harmed',
    async () => {
      const cases = fc.tuple(hostileThrown, fc.constantFrom(...places));
      await holdsForAll(
        cases,
        120,
        async ([makeThrown, place]) => {
          const thrown = makeThrown();
          const fail = () => {
            throw thrown;
          };
          const endpoint = subjectOf(
            place === 'toJSON'
              ? ({ send }) => send('billing', 'Odd', { toJSON: fail })
              : place === 'handler'
                ? fail
                : () => {},
            place === 'correlate' ? fail : () => 'odd',
            place === 'schema' ? fail : undefined,
          );
          const { returned, errors } = await deliverTo(endpoint);
          expectAllOrNothing(endpoint);
          const isForwarded = endpoint.sqs.sends.length === 1;
          expect(returned).toHaveLength(isForwarded ? 0 : 1);
          if (place === 'toJSON') expectAllCoded(errors);
        },
        oddThrown.flatMap((make) => places.map((place): [Maker, (typeof places)[number]] => [make, place])),
      );
    },
    fuzzTimeoutMs,
  );

  it(
    'anything, for the last time: it is told in the error queue',
    async () => {
      await holdsForAll(
        hostileThrown,
        80,
        async (makeThrown) => {
          const endpoint = subjectOf(() => {
            throw makeThrown();
          });
          const record = {
            ...asked('m-1'),
            attributes: { ApproximateReceiveCount: '3', SentTimestamp: '0' },
          };
          const outcome = await endpoint.deliver([record]);
          expect(outcome.returned).toEqual([]);
          const [sent] = endpoint.sqs.sends;
          const header = sent?.MessageAttributes?.['Sagabox.Failure']?.StringValue;
          expect(decodeFailure(header)).toMatchObject({
            receiveCount: 3,
            code: describeError(makeThrown()).code,
          });
        },
        oddThrown,
      );
    },
    fuzzTimeoutMs,
  );
});

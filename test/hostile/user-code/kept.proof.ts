import { describe, expect, it, jest } from '@jest/globals';
import fc from 'fast-check';
import { fuzzTimeoutMs, holdsForAll } from '../fuzz.ts';
import { hostileString, inheritedName, ownProperties } from '../hostile-values.ts';
import { expectSameState, keptState } from '../kept-state.ts';
import { expectAllCoded, expectAllOrNothing } from '../ledger-checks.ts';
import { userWrite } from '../ledger-saga.ts';
import { type Maker, oddString, oddValue, oddValues } from '../odd-values.ts';
import { isSameValue } from '../same-value.ts';
import { deliverTo, isDone, subjectOf } from './odd-saga.ts';

jest.setTimeout(fuzzTimeoutMs);

/** Names that a copy could lose, or take for something else. */
const polluting: [string, Maker][] = [
  ['__proto__', () => 1],
  ['__proto__', () => ({ polluted: true })],
  ['constructor', () => ({ prototype: { polluted: true } })],
  ['inner', () => JSON.parse('{"__proto__":{"polluted":true}}')],
  ['inner', () => [JSON.parse('{"toString":1,"__proto__":null}')]],
];

/** Where in a write the odd value stands. */
const wraps: ((make: Maker) => unknown)[] = [
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

describe('what user code gives', () => {
  it('as a correlation value makes a saga, or fails its message only, with a code', async () => {
    const numbers = fc.double().map(
      (value): Maker =>
        () =>
          value,
    );
    const long: Maker = () => 'k'.repeat(100_000);
    await holdsForAll(fc.oneof(oddValue, oddString, numbers, fc.constant(long)), 100, async (make) => {
      const endpoint = subjectOf(() => {}, make);
      expectAllCoded((await deliverTo(endpoint)).errors);
      expectAllOrNothing(endpoint);
    });
  });

  it('as a part of the state is kept as it is, or refused with a code', async () => {
    const names = fc.oneof(
      inheritedName,
      hostileString.filter((name) => name !== 'handled'),
    );
    await holdsForAll(
      fc.tuple(names, oddValue),
      50,
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
      [...polluting, ...oddValues.map((make): [string, Maker] => ['part', make])],
    );
  });

  it('as the whole state is kept as it is, or refused with a code', async () => {
    await holdsForAll(
      oddValue,
      40,
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
      [...polluting.map(([, make]) => make), ...oddValues],
    );
  });

  it('as a write of its own is written as it is, or refused with a code', async () => {
    const outcomes = new Set<boolean>();
    const writes = fc.tuple(fc.constantFrom(...wraps), oddValue);
    await holdsForAll(
      writes,
      50,
      async ([wrap, make]) => {
        const endpoint = subjectOf(({ transaction }) => transaction.add(wrap(make) as never));
        const outcome = await deliverTo(endpoint);
        expectAllCoded(outcome.errors);

        const done = isDone(outcome);
        outcomes.add(done);
        const expected = [userWrite('good'), ...(done ? [userWrite('m-1'), wrap(make)] : [])];
        const { transactionItems } = endpoint.storage;
        expect(transactionItems).toHaveLength(expected.length);
        for (const write of expected) {
          expect(transactionItems.some((item) => isSameValue(item, write))).toBe(true);
        }
        if (!done) expect(outcome.errors).not.toEqual([]);
      },
      [[(make) => ({ Put: { TableName: 'ledger', Item: make() } }), () => ({ a: { S: 'written' } })]],
    );
    expect(outcomes.size).toBe(2);
  });
});

function stateWith<S extends object>(state: S, name: string, value: unknown): S {
  return ownProperties([...Object.entries(state), [name, value]]) as S;
}

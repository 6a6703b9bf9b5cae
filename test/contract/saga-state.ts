import { describe, expect, it } from '@jest/globals';
import type { SagaWrite } from '../../lib/saga/saga-state.ts';
import { at, orderSaga } from '../support/commits.ts';
import { sagaboxErrorOf } from '../support/error-of.ts';
import { sagaCreation, sagaUpdate } from '../support/saga-writes.ts';
import type { OpenSubject } from './ports-contract.ts';

const states: [string, unknown][] = [
  ['nothing', {}],
  ['nested objects and arrays', { lines: [{ sku: 'a', tags: ['x', []] }], address: { city: { zip: '1' } } }],
  ['null', { paidAt: null, list: [null] }],
  ['an empty string', { note: '', list: [''] }],
  ['unicode', { 'näme 😀': 'żółć \u0000 \u{10FFFF}' }],
  ['booleans', { paid: false, shipped: true }],
  ['sets of strings', { tags: new Set(['a', 'b']) }],
  ['sets of numbers', { counts: new Set([1, 2.5, -3]) }],
  ['bytes', { hash: Uint8Array.of(0, 127, 128, 255), empty: new Uint8Array() }],
  ['numbers', { zero: 0, tenth: 0.1, negative: -12.5, tiny: 1e-100, safe: Number.MAX_SAFE_INTEGER }],
  ['names that objects inherit', { constructor: 'a', hasOwnProperty: { toString: 1 }, valueOf: null }],
  ['odd names', { ' ': 1, 'a.b[0]': 2, '#n': 3, ':v': 4, ['é'.repeat(32_767)]: 5 }],
  ['the numbers next to the limits', { small: 1e-130, negative: -1e-130, safe: -Number.MAX_SAFE_INTEGER }],
  ['the largest big integers', { big: (10n ** 38n - 1n) * 10n ** 88n }],
  ['big integers', { big: 12345678901234567890n, negative: -12345678901234567890n }],
];

const unstorable: [string, unknown, string][] = [
  ['a symbol', { callback: Symbol('not a value') }, 'state.callback is a symbol: store a string'],
  ['a Date', { lines: [{ at: new Date(0) }] }, 'state.lines[0].at is a Date: store an ISO 8601 string'],
  ['a Map', { map: new Map() }, 'state.map is a Map: store a plain object'],
  ['-0', { total: -0 }, 'state.total is -0'],
  ['NaN', { total: Number.NaN }, 'state.total is NaN'],
  ['a Buffer', { bytes: Buffer.from('a') }, 'state.bytes is a Buffer'],
  ['an empty name', { '': 1 }, 'state has a property with an empty name'],
  ['a number next to 0', { total: 5e-324 }, 'state.total is 5e-324, closer to 0 than DynamoDB stores'],
];

export function describeSagaState(open: OpenSubject): void {
  describe('saga state', () => {
    it.each(states)('comes back as it was: %s', async (_name, state) => {
      const { sagas, committer } = (await open()).ports('orders');
      await committer.commit(sagaCreation(state));
      const stored = await sagas.load(orderSaga);
      expect(stored?.readState()).toStrictEqual(state);
    });

    it.each(states)('comes back as it was, compressed or not by turns: %s', async (_name, state) => {
      const subject = await open();
      const [plain, compressing] = [subject.ports('orders'), subject.ports('orders', true)];
      const stateOf = (turn: string) => ({ ...Object(state), note: turn.repeat(2_000) });
      await compressing.committer.commit(sagaCreation(stateOf('a')));
      for (const { sagas } of [plain, compressing]) {
        const stored = await sagas.load(orderSaga);
        expect(stored?.readState()).toStrictEqual(stateOf('a'));
        expect([stored?.isSame(stored.readState()), stored?.isSame(stateOf('b'))]).toEqual([true, false]);
      }
      await plain.committer.commit(sagaUpdate(stateOf('b'), 1));
      expect((await compressing.sagas.load(orderSaga))?.readState()).toStrictEqual(stateOf('b'));
      await compressing.committer.commit(sagaUpdate(state, 2));
      expect((await plain.sagas.load(orderSaga))?.readState()).toStrictEqual(state);
    });

    it.each([false, true])('keeps the version of its form (compressed: %s)', async (isCompressed) => {
      const { sagas, committer } = (await open()).ports('orders', isCompressed);
      const state = { note: 'n'.repeat(2_000) };
      await committer.commit(sagaCreation(state));
      expect((await sagas.load(orderSaga))?.stateVersion ?? 1).toBe(1);
      const update = sagaUpdate({ ...state, paid: true }, 1);
      await committer.commit({ ...update, saga: { ...update.saga, stateVersion: 7 } as SagaWrite });
      const stored = await sagas.load(orderSaga);
      expect([stored?.stateVersion, stored?.readState()]).toEqual([7, { ...state, paid: true }]);
    });

    it('is replaced as a whole by an update', async () => {
      const { sagas, committer } = (await open()).ports('orders');
      await committer.commit(sagaCreation({ kept: 1, dropped: 2 }));
      await committer.commit(sagaUpdate({ kept: 3 }, 1));
      const stored = await sagas.load(orderSaga);
      expect(stored?.readState()).toStrictEqual({ kept: 3 });
    });

    it('keeps the time of its creation through updates', async () => {
      const { sagas, committer } = (await open()).ports('orders');
      await committer.commit(sagaCreation({}));
      const later = { ...sagaUpdate({ paid: true }, 1), at: new Date('2027-01-01T00:00:00.000Z') };
      await committer.commit(later);
      expect((await sagas.load(orderSaga))?.createdAt).toEqual(at);
    });

    it.each([false, true])(
      'is a fresh copy at each read, down to its bytes (compressed: %s)',
      async (isCompressed) => {
        const { sagas, committer } = (await open()).ports('orders', isCompressed);
        const state = () => ({
          note: 'n'.repeat(2_000),
          nested: { list: [1] },
          tags: new Set(['a']),
          bytes: Uint8Array.of(1, 2),
          chunks: new Set([Uint8Array.of(3)]),
        });
        await committer.commit(sagaCreation(state()));
        const stored = await sagas.load(orderSaga);

        const draft = stored?.readState() as ReturnType<typeof state>;
        draft.nested.list.push(2);
        draft.tags.add('b');
        draft.bytes[0] = 9;
        for (const chunk of draft.chunks) chunk[0] = 9;

        expect(stored?.readState()).toStrictEqual(state());
      },
    );

    it('is detached from the object that was committed', async () => {
      const { sagas, committer } = (await open()).ports('orders');
      const state = { list: [1] };
      await committer.commit(sagaCreation(state));
      state.list.push(2);
      expect((await sagas.load(orderSaga))?.readState()).toEqual({ list: [1] });
    });

    it.each(unstorable)(
      'is refused with UnsupportedState when it holds %s',
      async (_name, state, problem) => {
        const { sagas, committer } = (await open()).ports('orders');
        const error = await sagaboxErrorOf(committer.commit(sagaCreation(state)));
        expect(error.code).toBe('UnsupportedState');
        expect(error.facts).toMatchObject({ sagaName: 'OrderSaga', sagaId: '42' });
        expect(error.message).toContain(problem);
        expect(await sagas.load(orderSaga)).toBeUndefined();
      },
    );
  });
}

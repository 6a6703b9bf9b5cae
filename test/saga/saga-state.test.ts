import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { SagaDraft } from '../../lib/saga/saga-draft.ts';
import type { StoredSaga } from '../../lib/saga/saga-state.ts';

interface AnyState {
  total: number;
  lines: string[];
  tags: Set<string>;
  bytes: Uint8Array;
}

const identity = { name: 'OrderSaga', id: '42' };
const createdAt = new Date('2026-01-02T03:04:05.678Z');

function newDraft(initialState: () => unknown = () => ({ total: 0 })): SagaDraft {
  return new SagaDraft({ identity, stored: undefined, lease: undefined }, { initialState });
}

function storedDraft(readState: () => unknown = () => ({ total: 1, lines: ['a'] })): SagaDraft {
  const stored: StoredSaga = {
    readState,
    isSame: (state) => isDeepStrictEqual(state, readState()),
    revision: { version: 7, commitId: 'c-7' },
    createdAt,
    timeouts: [],
  };
  return new SagaDraft({ identity, stored, lease: undefined }, { initialState: () => ({ total: 0 }) });
}

const stateOf = (draft: SagaDraft) => draft.saga.state as AnyState;

describe('a saga that starts', () => {
  it('has its initial state, and is created as it is, changed or not', () => {
    const draft = newDraft();
    expect(draft.saga).toMatchObject({ id: '42', isNew: true, state: { total: 0 } });
    expect(draft.write()).toEqual({ kind: 'create', saga: identity, state: { total: 0 }, timeouts: [] });
  });

  it('shows its state to whoever copies or prints it', () => {
    expect({ ...newDraft().saga }).toMatchObject({ name: 'OrderSaga', state: { total: 0 } });
  });

  it('is created with what the handler made of it', () => {
    const draft = newDraft();
    stateOf(draft).total = 10;
    expect(draft.write()).toMatchObject({ kind: 'create', state: { total: 10 } });
  });

  it('and completes is not written at all', () => {
    const draft = newDraft();
    draft.saga.complete();
    expect(draft.write()).toBeUndefined();
  });
});

describe('a saga that is there', () => {
  it('has its stored state', () => {
    expect(storedDraft().saga).toMatchObject({ id: '42', isNew: false, state: { total: 1, lines: ['a'] } });
  });

  it('is not written when it stays the same', () => {
    expect(storedDraft().write()).toBeUndefined();
  });

  it('is not written when it is replaced by an equal state', () => {
    const draft = storedDraft();
    draft.saga.state = { lines: ['a'], total: 1 };
    expect(draft.write()).toBeUndefined();
  });

  it.each<[string, object, (state: AnyState) => unknown]>([
    ['a field', { total: 1 }, (state) => Object.assign(state, { total: 2 })],
    ['something deep inside', { lines: ['a'] }, ({ lines }) => lines.push('b')],
    ['a field less', { total: 1, lines: [] }, (state) => Reflect.deleteProperty(state, 'lines')],
    ['a set', { tags: new Set(['a']) }, ({ tags }) => tags.add('b')],
    ['bytes', { bytes: Uint8Array.of(1) }, ({ bytes }) => bytes.fill(2)],
  ])('is updated from the version that was read when it changes in place: %s', (_case, state, change) => {
    const draft = storedDraft(() => structuredClone(state));
    expect(draft.write()).toBeUndefined();
    change(draft.saga.state as AnyState);
    expect(draft.write()).toEqual({
      kind: 'update',
      saga: identity,
      state: draft.saga.state,
      timeouts: [],
      read: { version: 7, commitId: 'c-7' },
      createdAt,
    });
  });

  it('is updated when it cannot be compared: the write tells what is wrong with it', () => {
    const stored: StoredSaga = {
      readState: () => ({}),
      isSame: () => {
        throw new Error('no such attribute');
      },
      revision: { version: 7, commitId: 'c-7' },
      createdAt,
      timeouts: [],
    };
    const draft = new SagaDraft({ identity, stored, lease: undefined }, { initialState: () => ({}) });
    expect(draft.write()).toMatchObject({ kind: 'update', state: {} });
  });

  it('is updated when it is replaced', () => {
    const draft = storedDraft();
    draft.saga.state = { total: 5 };
    expect(draft.write()).toMatchObject({ kind: 'update', state: { total: 5 } });
  });

  it('completes from the version that was read, whatever else the handler did', () => {
    const draft = storedDraft();
    stateOf(draft).total = 2;
    draft.saga.complete();
    expect(draft.write()).toEqual({
      kind: 'complete',
      saga: identity,
      read: { version: 7, commitId: 'c-7' },
    });
  });

  it('completes once, however often it is told', () => {
    const draft = storedDraft();
    const { complete } = draft.saga;
    complete();
    complete();
    expect(draft.write()?.kind).toBe('complete');
  });
});

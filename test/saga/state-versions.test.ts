import { describe, expect, it } from '@jest/globals';
import { defineSaga } from 'sagabox';
import * as v from 'valibot';
import { z } from 'zod';
import { currentState, currentStateVersion } from '../../lib/saga/state-versions.ts';
import { sagaboxErrorOf } from '../support/error-of.ts';

const saga = { name: 'OrderSaga', id: '42' };
const initialState = () => ({});
const storedAs = (state: unknown, stateVersion?: number) => ({
  readState: () => state,
  ...(stateVersion !== undefined && { stateVersion }),
});
const renamed = (old: unknown) => ({ sum: (old as { total: number }).total });
const inCents = async (old: unknown) => ({ cents: (old as { sum: number }).sum * 100 });
const migrate = { 1: renamed, 2: inCents };
const rules = { initialState, migrate, stateVersion: 3 };

describe('the version of a state', () => {
  it.each([
    [undefined, 1],
    [{}, 1],
    [{ 1: renamed }, 2],
    [migrate, 3],
    [{ 4: renamed, 5: inCents }, 6],
  ])('with the migrations %p is %i', (migrations, version) => {
    expect(currentStateVersion(migrations)).toBe(version);
  });

  it.each([
    [{ 0: renamed }, "'0' is no version with a function"],
    [{ '1.5': renamed }, "'1.5' is no version with a function"],
    [{ first: renamed }, "'first' is no version with a function"],
    [{ 1: 'renamed' }, "'1' is no version with a function"],
    [{ 1: renamed, 3: inCents }, 'there is one from version 3, and none from 2'],
    [null, 'null is not an object'],
    [[renamed], '[null] is not an object'],
  ])('%p are no migrations', async (migrations, problem) => {
    const define = async () =>
      defineSaga({
        name: 'OrderSaga',
        messages: { OrderPlaced: z.object({ orderId: z.string() }) },
        correlate: { OrderPlaced: ({ orderId }) => orderId },
        startedBy: ['OrderPlaced'],
        initialState: () => ({ cents: 0 }),
        migrate: migrations as never,
        handlers: { OrderPlaced() {} },
      });
    const error = await sagaboxErrorOf(define());
    expect(error.code).toBe('Configuration');
    expect(error.message).toContain(`defineSaga 'OrderSaga': migrate: ${problem}`);
  });
});

describe('a stored state', () => {
  it.each([
    [undefined, { total: 7 }],
    [1, { total: 7 }],
    [2, { sum: 7 }],
    [3, { cents: 700 }],
  ])('of version %s is migrated from there on', async (version, state) => {
    expect(await currentState(rules, saga, storedAs(state, version))).toEqual({ cents: 700 });
  });

  it.each([
    [{ initialState }, 2, 1, 1],
    [rules, 4, 1, 3],
    [{ initialState, migrate: { 2: inCents }, stateVersion: 3 }, 1, 2, 3],
  ])(
    'of a version that the code does not know is refused, unread',
    async (known, version, oldest, newest) => {
      const readState = () => {
        throw new Error('it was read');
      };
      const error = await sagaboxErrorOf(currentState(known, saga, { readState, stateVersion: version }));
      expect(error.code).toBe('UnknownStateVersion');
      expect(error.facts).toEqual({
        sagaName: 'OrderSaga',
        sagaId: '42',
        stateVersion: version,
        oldest,
        newest,
      });
      expect(error.retryable).toBe(false);
    },
  );

  it('comes as its schema returns it', async () => {
    const stateSchema = z.object({ total: z.number(), notes: z.array(z.string()).default([]) });
    const state = await currentState({ initialState, stateSchema }, saga, storedAs({ total: 7 }));
    expect(state).toEqual({ total: 7, notes: [] });
  });

  it('is validated by a schema that takes its time', async () => {
    const stateSchema = v.pipeAsync(
      v.object({ total: v.number() }),
      v.checkAsync(async ({ total }) => total > 0, 'not over 0'),
    );
    const read = (state: object) => currentState({ initialState, stateSchema }, saga, storedAs(state));
    expect(await read({ total: 1 })).toEqual({ total: 1 });
    const error = await sagaboxErrorOf(read({ total: 0 }));
    expect(error.facts).toMatchObject({ operation: 'read', stateVersion: 1, issues: ['not over 0'] });
  });

  it('that its schema refuses is told with the saga and the issues', async () => {
    const stateSchema = z.object({ lines: z.array(z.object({ sku: z.string() })) });
    const refused = currentState({ ...rules, stateSchema }, saga, storedAs({ lines: [{ sku: 7 }] }, 3));
    const error = await sagaboxErrorOf(refused);
    expect(error.code).toBe('InvalidSagaState');
    expect(error.facts).toEqual({
      sagaName: 'OrderSaga',
      sagaId: '42',
      stateVersion: 3,
      operation: 'read',
      issues: [expect.stringContaining('lines.0.sku: ')],
    });
    expect(error.retryable).toBe(false);
  });
});

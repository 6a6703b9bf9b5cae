import { expect, it } from '@jest/globals';
import { isRunning, whileRunning } from '../../lib/handlers/running-handlers.ts';
import { errorOf } from '../support/error-of.ts';

it('a handler runs until what it returned is settled, for its own context only', async () => {
  const [context, other] = [{}, {}];
  const end = Promise.withResolvers<void>();
  const running = whileRunning(context, () => end.promise);
  expect([isRunning(context), isRunning(other)]).toEqual([true, false]);
  end.resolve();
  await running;
  expect(isRunning(context)).toBe(false);
});

it('a handler runs on while one that it called with its own context ends', async () => {
  const context = {};
  const end = Promise.withResolvers<void>();
  const running = whileRunning(context, async () => {
    await whileRunning(context, () => {});
    await end.promise;
  });
  await new Promise(setImmediate);
  expect(isRunning(context)).toBe(true);
  end.resolve();
  await running;
  expect(isRunning(context)).toBe(false);
});

it('a handler that throws runs no more', async () => {
  const context = {};
  const error = new Error('a bug');
  const throwing = () => {
    throw error;
  };
  expect(await errorOf(whileRunning(context, throwing))).toBe(error);
  expect(isRunning(context)).toBe(false);
});

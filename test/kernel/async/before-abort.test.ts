import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { beforeAbort } from '../../../lib/kernel/async/before-abort.ts';
import { errorOf } from '../../support/error-of.ts';

const never = new Promise<string>(() => {});

describe('work that is waited for until a signal is aborted', () => {
  it.each([
    ['a value', 'done'],
    ['a promise', Promise.resolve('done')],
  ])('gives what it comes to: %s', async (_name, work) => {
    const { signal } = new AbortController();
    expect(await beforeAbort(work, signal)).toBe('done');
    expect(await beforeAbort(work, undefined)).toBe('done');
  });

  it('throws what it throws', async () => {
    const { signal } = new AbortController();
    const error = new Error('a bug');
    expect(await errorOf(beforeAbort(Promise.reject(error), signal))).toBe(error);
  });

  it('is left when the signal is aborted, for its reason', async () => {
    const controller = new AbortController();
    const waiting = errorOf(beforeAbort(never, controller.signal));
    const reason = new Error('time is up');
    controller.abort(reason);
    expect(await waiting).toBe(reason);
  });

  it('adds one listener to a signal, however often that is waited for', async () => {
    const { signal } = new AbortController();
    for (let wait = 0; wait < 3; wait += 1) await beforeAbort(Promise.resolve(), signal);
    expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  });

  it('is not waited for when the signal was aborted before', async () => {
    const reason = new Error('time is up');
    expect(await errorOf(beforeAbort(never, AbortSignal.abort(reason)))).toBe(reason);
  });
});

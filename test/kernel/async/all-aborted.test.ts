import { expect, it } from '@jest/globals';
import { allAborted } from '../../../lib/kernel/async/all-aborted.ts';

it('is aborted with the last of the signals, by its reason', () => {
  const [first, second, third] = [new AbortController(), new AbortController(), new AbortController()];
  first.abort('early');
  const shared = allAborted([first.signal, second.signal, third.signal]);
  third.abort('third');
  expect(shared?.aborted).toBe(false);
  second.abort('last');
  expect([shared?.aborted, shared?.reason]).toEqual([true, 'last']);
});

it('is aborted at once where all are, and the signal itself where there is one', () => {
  const aborted = AbortSignal.abort('before');
  expect(allAborted([aborted, AbortSignal.abort('too')])?.aborted).toBe(true);
  expect(allAborted([aborted])).toBe(aborted);
  expect(allAborted([aborted, aborted])).toBe(aborted);
});

it('is none where one of those that share has none', () => {
  expect(allAborted([AbortSignal.abort('before'), undefined])).toBeUndefined();
});

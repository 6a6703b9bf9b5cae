import { describe, expect, it } from '@jest/globals';
import { cleanUpAfter } from './clean-up.ts';

describe('cleaning up', () => {
  const failing = (message: string) => async () => {
    throw new Error(message);
  };

  it('comes after the work, which gives the result', async () => {
    const log: string[] = [];
    const work = async () => log.push('work');
    expect(await cleanUpAfter(work, [() => log.push('one'), () => log.push('two')])).toBe(1);
    expect(log).toEqual(['work', 'one', 'two']);
  });

  it.each([
    ['the work', failing('work'), failing('step'), 'work'],
    ['a step', async () => undefined, failing('step'), 'step'],
  ])('takes every step when %s fails, and tells the first error', async (_what, work, step, message) => {
    const log: string[] = [];
    await expect(cleanUpAfter<unknown>(work, [step, () => log.push('last')])).rejects.toThrow(message);
    expect(log).toEqual(['last']);
  });
});

import { describe, expect, it } from '@jest/globals';
import { type Engines, withEngines } from '../../test/support/own-engines/engines.ts';
import { figuresOfRounds } from './measure.ts';

const { signal } = new AbortController();
const aborted = AbortSignal.abort(new Error('enough'));

describe('the engines of a benchmark', () => {
  it('are not started when it is interrupted before', async () => {
    const work = withEngines(async () => expect('work').toBe('not begun'), aborted);
    await expect(work).rejects.toThrow('enough');
  });

  it('end their start when it is interrupted', async () => {
    const interrupt = new AbortController();
    const work = withEngines(async () => expect('work').toBe('not begun'), interrupt.signal);
    interrupt.abort(new Error('enough'));
    await expect(work).rejects.toThrow('enough');
  });

  it.each([
    ['is done', 'it does not stop', async () => 'done'],
    ['failed', 'the work failed', () => Promise.reject(new Error('the work failed'))],
  ])('are all stopped when the work %s, though one does not stop: %s', async (_end, told, work) => {
    const stopped: string[] = [];
    const engine = (name: string, stop: () => Promise<void>) => async () => ({
      endpoint: name,
      name,
      failed: new Promise<never>(() => {}),
      async stop() {
        stopped.push(name);
        await stop();
      },
    });
    const stuck = engine('stuck', () => Promise.reject(new Error('it does not stop')));
    const other = engine('other', async () => {});
    for (const starts of [[stuck, other] as const, [other, stuck] as const]) {
      stopped.length = 0;
      await expect(withEngines(work, signal, starts)).rejects.toThrow(told);
      expect(stopped.toSorted()).toEqual(['other', 'stuck']);
    }
  });
});

describe('an engine that ends in the middle of the work', () => {
  it('ends the work with its own reason', async () => {
    const failing = async () => ({
      endpoint: 'gone',
      name: 'gone',
      failed: Promise.reject(new Error('the engine ended')),
      stop: async () => {},
    });
    const other = async () => ({ endpoint: 'other', stop: async () => {} });
    const untilAborted = (_engines: Engines, ending: AbortSignal) =>
      new Promise((_resolve, reject) => {
        ending.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
      });
    await expect(withEngines(untilAborted, signal, [failing, other])).rejects.toThrow('the engine ended');
  });
});

it('takes the medians of what chance decides, and hides no round that lost a message', () => {
  const round = { messages: 10, applied: 10, twice: 0, deadLettered: 0, conflicts: 3 };
  const units = {
    refusedLockAttempts: 0,
    rcuPerMessage: 2,
    wcuPerMessage: 4,
    refusedWcuPerMessage: 1,
    callsPerMessage: 3,
  };
  const good = { ...round, ...units, seconds: 1 };
  const bad = { ...good, applied: 7, twice: 2, deadLettered: 1, conflicts: 100, seconds: 9 };
  expect(figuresOfRounds([good, bad, { ...good, conflicts: 4 }])).toEqual({
    ...good,
    applied: 7,
    twice: 2,
    deadLettered: 1,
    conflicts: 4,
  });
});

import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { type Look, settle } from './settle.ts';

const never = new AbortController().signal;
const tickMs = 1;
const stallMs = () => 3;

/** Settles by these looks, the last of which repeats; tells how many there were. */
async function settleBy(...looks: readonly Look[]) {
  let count = 0;
  const look = async () => looks[Math.min(count++, looks.length - 1)] as Look;
  return { isSettled: await settle({ look, tickMs, stallMs }, never), looks: count };
}
const moving = (progress: number): Look => ({ isSettled: false, progress });
const empty = { isSettled: true, progress: 0 };

describe('a load', () => {
  it('is settled when two looks in a row find it so', async () => {
    expect(await settleBy(empty)).toEqual({ isSettled: true, looks: 2 });
    expect(await settleBy(empty, moving(1), empty)).toEqual({ isSettled: true, looks: 4 });
  });

  it('is given up when nothing moves for longer than the limit', async () => {
    expect(await settleBy(moving(1))).toEqual({ isSettled: false, looks: 5 });
    expect(await settleBy(moving(1), moving(1), moving(1), moving(1), moving(2), empty)).toEqual({
      isSettled: true,
      looks: 7,
    });
  });

  it('is not given up because looks take long', async () => {
    let looks = 0;
    const look = async () => {
      await delay(2 * stallMs());
      looks += 1;
      return { isSettled: looks > 2, progress: 0 };
    };
    expect(await settle({ look, tickMs, stallMs }, never)).toBe(true);
  });

  it('is given up at the signal', async () => {
    const interrupt = new AbortController();
    const look = async () => {
      interrupt.abort();
      return moving(1);
    };
    await expect(settle({ look, tickMs, stallMs }, interrupt.signal)).rejects.toThrow('aborted');
  });
});

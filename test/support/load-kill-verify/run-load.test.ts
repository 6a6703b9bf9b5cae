import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { runLoad } from './run-load.ts';

const never = new AbortController().signal;
const tickMs = 1;

it('a load is sent, then handled by companions, which end with it', async () => {
  const events: string[] = [];
  let waiting = 3;
  const handle = async (signal: AbortSignal) => {
    events.push('begun');
    for (; !signal.aborted; waiting = Math.max(0, waiting - 1)) await delay(tickMs);
    events.push('ended');
  };
  const send = async () => void events.push('sent');
  const look = async () => ({ isSettled: waiting === 0, progress: waiting });
  expect(await runLoad({ send, companions: [handle], look, tickMs }, never)).toBe(true);
  expect(events).toEqual(['sent', 'begun', 'ended']);
});

it('a load fails with the first companion that does, when the others have ended', async () => {
  let isEnded = false;
  const handle = async (signal: AbortSignal) => {
    while (!signal.aborted) await delay(tickMs);
    isEnded = true;
  };
  const companions = [handle, () => Promise.reject(new Error('no function'))];
  const look = async () => ({ isSettled: false, progress: 0 });
  await expect(runLoad({ companions, look, tickMs }, never)).rejects.toThrow('no function');
  expect(isEnded).toBe(true);
});

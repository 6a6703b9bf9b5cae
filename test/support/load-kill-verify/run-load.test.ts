import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { runLoad } from './run-load.ts';

const never = new AbortController().signal;
const tickMs = 1;

describe('a load', () => {
  it('is sent, then handled by companions, which end with it', async () => {
    const events: string[] = [];
    let waiting = 0;
    const isSettled = await runLoad(
      {
        send: async () => {
          events.push('sent');
          waiting = 3;
        },
        companions: [
          async (signal) => {
            events.push('began');
            for (; !signal.aborted; waiting = Math.max(0, waiting - 1)) await delay(tickMs);
            events.push('ended');
          },
        ],
        look: async () => ({ isSettled: waiting === 0, progress: waiting }),
        tickMs,
      },
      never,
    );
    expect(isSettled).toBe(true);
    expect(events).toEqual(['sent', 'began', 'ended']);
  });

  it('fails with the first companion that does, and ends the others', async () => {
    let isEnded = false;
    const running = runLoad(
      {
        companions: [
          async (signal) => {
            while (!signal.aborted) await delay(tickMs);
            isEnded = true;
          },
          () => Promise.reject(new Error('no function')),
        ],
        look: async () => ({ isSettled: false, progress: 0 }),
        tickMs,
      },
      never,
    );
    await expect(running).rejects.toThrow('no function');
    expect(isEnded).toBe(true);
  });
});

import { describe, expect, it } from '@jest/globals';
import { InvocationDeadline, type StartTimer } from '../../lib/attempt/invocation-deadline.ts';

const margins = { startMs: 2000, abortMs: 1000, giveUpMs: 500 };

/** An invocation whose time passes when the test says so. */
function invocation(totalMs: number) {
  let elapsedMs = 0;
  const timers = new Map<() => void, number>();
  const startTimer: StartTimer = (delayMs, callback) => {
    timers.set(callback, elapsedMs + delayMs);
    return () => void timers.delete(callback);
  };
  return {
    deadline: new InvocationDeadline(() => totalMs - elapsedMs, margins, startTimer),
    /** When the timers that run will call back. */
    due: () => [...timers.values()],
    pass: (durationMs: number) => {
      elapsedMs += durationMs;
      const nextDue = () => [...timers].find(([, dueMs]) => dueMs <= elapsedMs);
      for (let due = nextDue(); due; due = nextDue()) {
        timers.delete(due[0]);
        due[0]();
      }
    },
  };
}

const settled = async () => await new Promise(setImmediate);

describe('a message', () => {
  it.each([
    [30_000, 27_999, 'may be started'],
    [30_000, 28_000, 'may not be started'],
    // Of a short invocation, a fifth.
    [5000, 3999, 'may be started'],
    [5000, 4000, 'may not be started'],
  ])('of an invocation of %i ms, after %i ms, %s', (totalMs, elapsedMs, may) => {
    const expected = may === 'may be started';
    const { deadline, pass } = invocation(totalMs);
    pass(elapsedMs);
    expect(deadline.mayStart()).toBe(expected);
  });

  it.each([
    ['outside of Lambda', Number.POSITIVE_INFINITY, 1e9, 0, 'may be started'],
    ['after a delay', 30_000, 27_999, 0, 'may be started'],
    ['after a delay', 30_000, 28_000, 0, 'may not be started'],
    ['as long as the last attempt', 30_000, 1000, 27_999, 'may be started'],
    ['that would be cut off as the last attempt took', 30_000, 1000, 28_000, 'may not be started'],
  ])('%s, of %f ms, after %f and for %i ms, %s', (_what, totalMs, afterMs, costMs, may) => {
    const expected = may === 'may be started';
    expect(invocation(totalMs).deadline.mayStart(afterMs, costMs)).toBe(expected);
  });

  it('knows how long messages may still be started', () => {
    const { deadline, pass } = invocation(30_000);
    expect(deadline.startableForMs).toBe(28_000);
    pass(29_000);
    expect(deadline.startableForMs).toBe(-1000);
  });

  it('that was not started is told from one that was given up', () => {
    const { deadline, pass } = invocation(30_000);
    pass(29_000);
    expect(() => deadline.assertTimeToStart('m1')).toThrow(
      expect.objectContaining({
        code: 'InvocationTimeout',
        facts: { messageId: 'm1', remainingTimeMs: 1000 },
      }),
    );
  });
});

describe('an attempt', () => {
  const never = async () => await new Promise<void>(() => {});

  it.each([
    [30_000, 29_000, 29_500],
    [5000, 4500, 4750],
  ])(
    'of an invocation of %i ms has its signal aborted at %i, and is given up at %i',
    async (totalMs, abortedAt, givenUpAt) => {
      const { deadline, due, pass } = invocation(totalMs);
      const signals: AbortSignal[] = [];
      const attempt = async (signal: AbortSignal) => {
        signals.push(signal);
        await never();
      };
      const running = deadline.limit('m1', attempt, async (error) => {
        throw error;
      });
      expect(due()).toEqual([abortedAt]);
      pass(abortedAt);
      expect([signals[0]?.aborted, due()]).toEqual([true, [givenUpAt]]);
      pass(totalMs - abortedAt);
      await expect(running).rejects.toMatchObject({ code: 'InvocationTimeout' });
      expect(due()).toEqual([]);
    },
  );

  it('shares one timer with the others, until the last of them has ended', async () => {
    const { deadline, due, pass } = invocation(30_000);
    const signals = new Map<string, AbortSignal>();
    const run = (messageId: string, ended: Promise<void>) =>
      deadline.limit(
        messageId,
        async (signal) => {
          signals.set(messageId, signal);
          await ended;
        },
        never,
      );
    const first = Promise.withResolvers<void>();
    const second = Promise.withResolvers<void>();
    const runs = [run('m1', first.promise), run('m2', second.promise)];
    expect(due()).toEqual([29_000]);
    first.resolve();
    await runs[0];
    expect(due()).toEqual([29_000]);
    pass(29_000);
    expect(signals.get('m1')?.aborted).toBe(false);
    expect(signals.get('m2')?.reason).toMatchObject({ facts: { messageId: 'm2' } });
    expect(due()).toEqual([29_500]);
    second.resolve();
    await runs[1];
    expect(due()).toEqual([]);
  });

  it('that begins beside one whose signal is aborted has its own aborted at once', async () => {
    const { deadline, pass } = invocation(30_000);
    const first = deadline.limit('m1', never, async () => {});
    pass(29_000);
    const second = deadline.limit('m2', async (signal) => signal.throwIfAborted(), never);
    await expect(second).rejects.toMatchObject({ facts: { messageId: 'm2', remainingTimeMs: 1000 } });
    pass(500);
    await expect(first).rejects.toMatchObject({ facts: { messageId: 'm1' } });
  });

  it('that begins when another one is given up is given up by itself', async () => {
    const { deadline, pass, due } = invocation(30_000);
    const ending = Promise.withResolvers<void>();
    const first = deadline.limit('m1', never, async () => await ending.promise);
    pass(29_500);
    const second = deadline.limit('m2', never, async () => {});
    expect(due()).toEqual([29_500]);
    pass(0);
    await expect(second).rejects.toMatchObject({ facts: { messageId: 'm2' } });
    ending.resolve();
    await expect(first).rejects.toMatchObject({ facts: { messageId: 'm1' } });
    expect(due()).toEqual([]);
  });

  it('hears of the end before it comes, and may end by itself', async () => {
    const { deadline, pass, due } = invocation(30_000);
    const giveUps: unknown[] = [];
    const running = deadline.limit(
      'm1',
      async (signal) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        signal.addEventListener('abort', () => resolve());
        await promise;
        throw signal.reason;
      },
      async (error) => void giveUps.push(error),
    );
    pass(29_000);
    await expect(running).rejects.toMatchObject({ facts: { messageId: 'm1', remainingTimeMs: 1000 } });
    expect(giveUps).toEqual([]);
    expect(due()).toEqual([]);
  });

  it('that is given up is returned, however long it takes to be ended', async () => {
    const { deadline, pass, due } = invocation(30_000);
    const running = deadline.limit('m1', never, never);
    pass(29_500);
    await settled();
    expect(due()).toEqual([29_750]);
    pass(250);
    await expect(running).rejects.toMatchObject({ code: 'InvocationTimeout', facts: { messageId: 'm1' } });
    expect(due()).toEqual([]);
  });

  it('that was given up may still fail, and nobody is disturbed', async () => {
    const { deadline, pass } = invocation(30_000);
    const handler = Promise.withResolvers<void>();
    const running = deadline.limit('m1', async () => await handler.promise, never);
    pass(29_500);
    await settled();
    pass(250);
    await expect(running).rejects.toMatchObject({ code: 'InvocationTimeout' });
    handler.reject(new Error('too late'));
    await settled();
  });

  it.each([0, 1])('leaves no timer behind when it ends in time (failing: %i)', async (failing) => {
    const { deadline, due } = invocation(30_000);
    const attempt = async () => {
      if (failing) throw new Error('a bug');
    };
    await Promise.allSettled([deadline.limit('m1', attempt, async () => {})]);
    expect(due()).toEqual([]);
  });

  it.each([
    [Number.POSITIVE_INFINITY, 0],
    // Node's timers call back at once when a delay does not fit into 31 bits.
    [2 ** 31 + 999, 1],
    [2 ** 31 + 1000, 0],
  ])(
    'of an invocation of %f ms, whose end is out of the reach of timers, starts %i timers',
    async (totalMs, count) => {
      const { deadline, due } = invocation(totalMs);
      const running = deadline.limit('m1', never, async () => {});
      expect(due()).toHaveLength(count);
      void running;
    },
  );
});

describe('what collects messages', () => {
  it('hears when no further one may be started, unless it ends before', () => {
    const { deadline, pass, due } = invocation(30_000);
    const calls: string[] = [];
    deadline.onStartMargin(() => calls.push('first'));
    const cancel = deadline.onStartMargin(() => calls.push('second'));
    expect(due()).toEqual([28_000, 28_000]);
    cancel();
    pass(27_999);
    expect(calls).toEqual([]);
    pass(1);
    expect(calls).toEqual(['first']);
    expect(due()).toEqual([]);
  });
});

describe('a last call', () => {
  it.each([
    [29_749, 'waited for'],
    [29_750, 'not waited for any more'],
  ])('after %i ms of 30 s is %s', async (elapsedMs, result) => {
    const expected = result === 'not waited for any more';
    const { deadline, pass, due } = invocation(30_000);
    const call = Promise.withResolvers<string>();
    const signals: AbortSignal[] = [];
    const calling = deadline.untilEnd(async (signal) => {
      signals.push(signal);
      return await call.promise;
    });
    pass(elapsedMs);
    expect(signals[0]?.aborted).toBe(expected);
    if (!expected) call.resolve('done');
    const outcome = await calling.catch((error: Error) => error.name);
    expect(outcome).toBe(expected ? 'AbortError' : 'done');
    expect(due()).toEqual([]);
  });

  it('that fails, fails by its own error', async () => {
    const { deadline, due } = invocation(30_000);
    const calling = deadline.untilEnd(async () => {
      throw new RangeError('x');
    });
    await expect(calling).rejects.toBeInstanceOf(RangeError);
    expect(due()).toEqual([]);
  });
});

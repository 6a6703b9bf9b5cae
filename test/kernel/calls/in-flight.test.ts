import { describe, expect, it } from '@jest/globals';
import { InFlight, MAX_GATHER_MS } from '../../../lib/kernel/calls/in-flight.ts';

/** Sleeps until it is told to wake, or is aborted. */
function controlledSleep() {
  const { promise: woken, resolve: wake } = Promise.withResolvers<void>();
  const signals: AbortSignal[] = [];
  const durationsMs: number[] = [];
  const sleep = async (durationMs: number, signal = new AbortController().signal) => {
    durationsMs.push(durationMs);
    signals.push(signal);
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve));
    if (!signal.aborted) await Promise.race([woken, aborted]);
  };
  return { sleep, wake, signals, durationsMs };
}

/** Work that goes on until it is ended. */
function work(inFlight: InFlight) {
  const { promise, resolve: end, reject: fail } = Promise.withResolvers<void>();
  return { ended: inFlight.during(promise), end, fail };
}

function watched(promise: Promise<void>) {
  const state = { isOver: false };
  void promise.then(() => {
    state.isOver = true;
  });
  return state;
}

const now = () => new Date(0);
const turns = async () => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
};
const never = () => new Promise<void>(() => {});

it('work in flight gives its result', async () => {
  expect(await new InFlight().during(Promise.resolve('done'))).toBe('done');
});

describe('a gather behind work', () => {
  it('is no longer than this turn when nothing is under way, and needs no timer', async () => {
    const { sleep, durationsMs } = controlledSleep();
    const gathering = watched(new InFlight().gatherBehind({ now, sleep }, never()));
    for (let turn = 0; turn < 2; turn += 1) await new Promise(setImmediate);
    expect(gathering.isOver).toBe(true);
    expect(durationsMs).toEqual([]);
  });

  it('is no longer than this turn when the work has failed', async () => {
    const inFlight = new InFlight();
    const failing = work(inFlight);
    failing.fail(new Error('conflict'));
    await expect(failing.ended).rejects.toThrow('conflict');
    const { sleep, durationsMs } = controlledSleep();
    await inFlight.gatherBehind({ now, sleep }, never());
    expect(durationsMs).toEqual([]);
  });

  it('ends when all of the work has ended, and its timer with it', async () => {
    const inFlight = new InFlight();
    const { sleep, signals, durationsMs } = controlledSleep();
    const [first, second] = [work(inFlight), work(inFlight)];
    const gathering = watched(inFlight.gatherBehind({ now, sleep }, never()));
    first.end();
    await turns();
    expect(gathering.isOver).toBe(false);
    second.end();
    await turns();
    expect(gathering.isOver).toBe(true);
    expect(durationsMs).toEqual([MAX_GATHER_MS]);
    expect(signals[0]?.aborted).toBe(true);
  });

  it('takes in what comes in the turn in which the work ends', async () => {
    const inFlight = new InFlight();
    const { sleep } = controlledSleep();
    const last = work(inFlight);
    const gathering = watched(inFlight.gatherBehind({ now, sleep }, never()));
    last.end();
    await last.ended;
    for (let step = 0; step < 20; step += 1) await Promise.resolve();
    expect(gathering.isOver).toBe(false);
    await turns();
    expect(gathering.isOver).toBe(true);
  });

  it('ends when it has lasted long enough, though work is under way', async () => {
    const inFlight = new InFlight();
    const { sleep, wake } = controlledSleep();
    const slow = work(inFlight);
    const gathering = watched(inFlight.gatherBehind({ now, sleep }, never()));
    await turns();
    expect(gathering.isOver).toBe(false);
    wake();
    await turns();
    expect(gathering.isOver).toBe(true);
    slow.end();
    await slow.ended;
  });

  it('ends when it is called off, and its timer with it', async () => {
    const inFlight = new InFlight();
    const { sleep, signals } = controlledSleep();
    const slow = work(inFlight);
    const left = Promise.withResolvers<void>();
    const gathering = watched(inFlight.gatherBehind({ now, sleep }, left.promise));
    left.resolve();
    await turns();
    expect(gathering.isOver).toBe(true);
    expect(signals[0]?.aborted).toBe(true);
    slow.end();
    await slow.ended;
  });
});

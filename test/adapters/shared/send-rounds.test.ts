import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type BatchSending,
  callError,
  type EntryFailure,
  sendBatches,
} from '../../../lib/adapters/shared/send-rounds.ts';
import { errorOf, sagaboxErrorOf } from '../../support/error-of.ts';
import { outgoingMessage } from '../../support/outgoing-messages.ts';

const batchOf = (...ids: string[]) => ids.map((id) => outgoingMessage({ id }));
const passing = (index: number): EntryFailure => ({ index, isFinal: false, detail: `slow ${index}` });
const final = (index: number): EntryFailure => ({ index, isFinal: true, detail: `refused ${index}` });

let calls: string[][];
let sleepsMs: number[];

beforeEach(() => {
  calls = [];
  sleepsMs = [];
});

/** What the service says to one call after another; after that it takes everything. */
function sendingThatSays(answers: (readonly EntryFailure[] | Error)[], inOrder = false): BatchSending {
  return {
    destination: 'billing',
    inOrder,
    finalErrors: new Set(['AccessDenied']),
    send: async (batch) => {
      calls.push(batch.map(({ id }) => id));
      const answer = answers.shift() ?? [];
      if (answer instanceof Error) throw answer;
      return answer;
    },
    sleep: async (durationMs) => void sleepsMs.push(durationMs),
    random: () => 0.5,
  };
}

describe('batches', () => {
  it('that are taken are sent once, one call each', async () => {
    await sendBatches([batchOf('a', 'b'), batchOf('c')], sendingThatSays([]));
    expect([calls, sleepsMs]).toEqual([[['a', 'b'], ['c']], []]);
  });

  it('send again what was not taken, and only that, after growing delays', async () => {
    await sendBatches([batchOf('a', 'b', 'c')], sendingThatSays([[passing(0), passing(2)], [passing(1)]]));
    expect(calls).toEqual([['a', 'b', 'c'], ['a', 'c'], ['c']]);
    expect(sleepsMs).toEqual([50, 100]);
  });

  it('give up after four calls, without a last wait, and tell what is left', async () => {
    const sending = sendingThatSays(Array(5).fill([passing(0)]));
    const error = await sagaboxErrorOf(sendBatches([batchOf('a', 'b')], sending));
    expect(error).toMatchObject({
      code: 'DispatchFailed',
      facts: { destination: 'billing', failures: ['slow 0'] },
    });
    expect(calls).toEqual([['a', 'b'], ['a'], ['a'], ['a']]);
    expect(sleepsMs).toEqual([50, 100, 200]);
  });

  it('do not send again what is refused for good, but what stands beside it', async () => {
    const sending = sendingThatSays([[final(0), passing(1)]]);
    const error = await sagaboxErrorOf(sendBatches([batchOf('a', 'b')], sending));
    expect(error).toMatchObject({ code: 'DispatchRefused', facts: { failures: ['refused 0'] } });
    expect(calls).toEqual([['a', 'b'], ['b']]);
  });

  it('of which some may pass are tried again as a whole', async () => {
    const sending = sendingThatSays([[final(0), passing(1)], ...Array(3).fill([passing(0)])]);
    const error = await sagaboxErrorOf(sendBatches([batchOf('a', 'b')], sending));
    expect(error).toMatchObject({ code: 'DispatchFailed', facts: { failures: ['refused 0', 'slow 0'] } });
  });

  it.each([
    [false, [['a'], ['b']]],
    [true, [['a']]],
  ])('behind a failed one wait for it only where they stand in order (%s)', async (inOrder, expected) => {
    const sending = sendingThatSays([[final(0)]], inOrder);
    await errorOf(sendBatches([batchOf('a'), batchOf('b')], sending));
    expect(calls).toEqual(expected);
  });

  it('in order go on behind one that is taken at last', async () => {
    await sendBatches([batchOf('a'), batchOf('b')], sendingThatSays([[passing(0)]], true));
    expect(calls).toEqual([['a'], ['a'], ['b']]);
  });
});

describe('a call that fails as a whole', () => {
  it.each([
    // What is wrong may be a message: the others are tried.
    ['AccessDenied', 'DispatchRefused', 25, 25],
    // Those that went side by side with it.
    ['Throttled', 'DispatchFailed', 1, 11],
  ])('by %s is %s: of 25 calls, %i to %i are made', async (name, code, atLeast, atMost) => {
    const failure = Object.assign(new Error('no'), { name });
    const sending = sendingThatSays([failure]);
    const batches = Array.from({ length: 25 }, (_, index) => batchOf(`m${index}`));
    const error = await sagaboxErrorOf(sendBatches(batches, sending));
    expect(error).toMatchObject({
      code,
      facts: { destination: 'billing', failures: [`${name}: no`] },
      cause: failure,
    });
    expect(calls.length).toBeGreaterThanOrEqual(atLeast);
    expect(calls.length).toBeLessThanOrEqual(atMost);
    expect(callError('billing', failure, new Set(['AccessDenied']))).toMatchObject({ code, cause: failure });
  });
});

describe('a sending', () => {
  it.each([
    [false, 10],
    [true, 1],
  ])('in order (%s) has %i calls under way at a time', async (inOrder, expected) => {
    let underWay = 0;
    let most = 0;
    const sending = {
      ...sendingThatSays([], inOrder),
      send: async () => {
        underWay += 1;
        most = Math.max(most, underWay);
        await new Promise(setImmediate);
        underWay -= 1;
        return [];
      },
    };
    const batches = Array.from({ length: 25 }, (_, index) => batchOf(`m${index}`));
    await sendBatches(batches, sending);
    expect(most).toBe(expected);
  });

  it('tells after each call what was taken, also when others fail', async () => {
    const taken: (readonly string[])[] = [];
    const sending = sendingThatSays([[final(0), passing(2)], [], new Error('down')], true);
    const onTaken = (ids: readonly string[]) => void taken.push(ids);
    await errorOf(sendBatches([batchOf('a', 'b', 'c'), batchOf('d')], sending, { onTaken }));
    expect(taken).toEqual([['b'], ['c']]);
  });

  it('that is aborted begins no further call, waits for none, and throws the reason', async () => {
    const controller = new AbortController();
    const reason = new Error('time is up');
    const { promise: answer, resolve } = Promise.withResolvers<EntryFailure[]>();
    const taken: string[] = [];
    const sending = {
      ...sendingThatSays([], true),
      send: async (batch: readonly { id: string }[]) => {
        calls.push(batch.map(({ id }) => id));
        return await answer;
      },
    };
    const sent = sendBatches([batchOf('a'), batchOf('b')], sending, {
      signal: controller.signal,
      onTaken: (ids) => taken.push(...ids),
    });
    await new Promise(setImmediate);
    controller.abort(reason);
    expect(await errorOf(sent)).toBe(reason);
    resolve([]);
    await new Promise(setImmediate);
    expect([calls, taken]).toEqual([[['a']], []]);
  });

  it('that is aborted in a delay does not send again', async () => {
    const controller = new AbortController();
    const sending = {
      ...sendingThatSays([[passing(0)]]),
      sleep: async () => controller.abort(new Error('time is up')),
    };
    const error = await errorOf(sendBatches([batchOf('a')], sending, { signal: controller.signal }));
    expect(error).toHaveProperty('message', 'time is up');
    expect(calls).toEqual([['a']]);
  });
});

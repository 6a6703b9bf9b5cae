import { beforeEach, describe, expect, it } from '@jest/globals';
import type { SendFailure } from '../../../lib/adapters/shared/send-batcher.ts';
import { callError, type Sending, sendInRounds } from '../../../lib/adapters/shared/send-rounds.ts';
import { codeOf, errorOf, sagaboxErrorOf } from '../../support/error-of.ts';
import { outgoingMessage } from '../../support/outgoing-messages.ts';

const messages = (...ids: string[]) =>
  ids.map((id) => outgoingMessage({ id, messageGroupId: id.slice(0, 1) }));
const many = (count: number) => messages(...Array.from({ length: count }, (_, index) => `m${index}`));
const passing: SendFailure = { isFinal: false, detail: 'slow' };
const final: SendFailure = { isFinal: true, detail: 'refused' };
const isDenied = Object.assign(new Error('no'), { name: 'AccessDenied' });

let sent: string[];
let sleepsMs: number[];

beforeEach(() => {
  sent = [];
  sleepsMs = [];
});

/** What the service says of each message, one time after another; after that it takes them. */
function sendingThatSays(answers: Record<string, (SendFailure | Error)[]>, inOrder = false): Sending {
  return {
    destination: 'billing',
    inOrder,
    finalErrors: new Set(['AccessDenied']),
    send: async ({ id }) => {
      sent.push(id);
      const answer = answers[id]?.shift();
      if (answer instanceof Error) throw answer;
      return answer;
    },
    sleep: async (durationMs) => void sleepsMs.push(durationMs),
    random: () => 0.5,
  };
}

describe('messages', () => {
  it('that are taken are sent once', async () => {
    await sendInRounds(messages('a', 'b'), sendingThatSays({}));
    expect([sent, sleepsMs]).toEqual([['a', 'b'], []]);
  });

  it('are given up after four rounds, without a last wait, with an error that tells what is left', async () => {
    const sending = sendingThatSays({ a: Array(5).fill(passing) });
    const error = await sagaboxErrorOf(sendInRounds(messages('a', 'b'), sending));
    expect(error).toMatchObject({
      code: 'DispatchFailed',
      facts: { destination: 'billing', failures: ['slow'] },
    });
    expect(sent).toEqual(['a', 'b', 'a', 'a', 'a']);
    expect(sleepsMs).toEqual([50, 100, 200]);
  });

  it('of which some may pass may be sent again as a whole', async () => {
    const sending = sendingThatSays({ a: [final], b: Array(4).fill(passing) });
    const error = await sagaboxErrorOf(sendInRounds(messages('a', 'b'), sending));
    expect(error).toMatchObject({ code: 'DispatchFailed', facts: { failures: ['refused', 'slow'] } });
  });

  it.each([
    [false, ['a1', 'a2', 'b1', 'b2']],
    [true, ['a1', 'b1', 'b2']],
  ])('behind a failed one of their group wait for it only in order (%s)', async (inOrder, expected) => {
    const sending = sendingThatSays({ a1: [final] }, inOrder);
    await errorOf(sendInRounds(messages('a1', 'a2', 'b1', 'b2'), sending));
    expect(sent.toSorted()).toEqual(expected);
  });

  it('in order go on behind one that is taken at last', async () => {
    await sendInRounds(messages('a1', 'a2'), sendingThatSays({ a1: [passing] }, true));
    expect(sent).toEqual(['a1', 'a1', 'a2']);
  });

  it('in order have four tries each', async () => {
    const ids = ['a1', 'a2', 'a3'];
    const answers = Object.fromEntries(ids.map((id) => [id, Array(3).fill(passing)]));
    await sendInRounds(messages(...ids), sendingThatSays(answers, true));
    expect(sent).toEqual(ids.flatMap((id) => Array(4).fill(id)));
  });

  it.each([
    [false, 100],
    [true, 1],
  ])('of one group, in order (%s), are under way %i at a time', async (inOrder, expected) => {
    let underWay = 0;
    let most = 0;
    const send = async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await new Promise(setImmediate);
      underWay -= 1;
      return undefined;
    };
    await sendInRounds(many(120), { ...sendingThatSays({}, inOrder), send });
    expect(most).toBe(expected);
  });

  it('are told of when they are taken, also when others fail', async () => {
    const taken: string[] = [];
    const sending = sendingThatSays({ a: [final], c: [passing], d: [passing, new Error('down')] });
    const onTaken = (ids: readonly string[]) => void taken.push(...ids);
    await errorOf(sendInRounds(messages('a', 'b', 'c', 'd'), sending, { onTaken }));
    expect(taken).toEqual(['b', 'c']);
  });
});

describe('a call that fails as a whole', () => {
  it.each([
    // What is wrong may be a message: the others are tried.
    ['AccessDenied', 'DispatchRefused', 250, 250],
    // Those that went side by side with it.
    ['Throttled', 'DispatchFailed', 1, 101],
  ])('by %s is %s: of 250 messages, %i to %i are sent', async (name, code, atLeast, atMost) => {
    const failure = Object.assign(new Error('no'), { name });
    const error = await sagaboxErrorOf(sendInRounds(many(250), sendingThatSays({ m0: [failure] })));
    const facts = { destination: 'billing', failures: [`${name}: no`] };
    expect(error).toMatchObject({ code, facts, cause: failure });
    expect(sent.length).toBeGreaterThanOrEqual(atLeast);
    expect(sent.length).toBeLessThanOrEqual(atMost);
    expect(callError('billing', failure, new Set(['AccessDenied']))).toMatchObject({ code, cause: failure });
  });

  it('for what is wrong with a message, keeps no other from being sent again', async () => {
    const sending = sendingThatSays({ a: [passing], b: [isDenied] });
    expect(await codeOf(sendInRounds(messages('a', 'b'), sending))).toBe('DispatchRefused');
    expect(sent).toEqual(['a', 'b', 'a']);
  });

  it('for what may pass, lets nothing be sent again', async () => {
    const sending = sendingThatSays({ a: [passing], b: [new Error('down')] });
    expect(await codeOf(sendInRounds(messages('a', 'b'), sending))).toBe('DispatchFailed');
    expect(sent).toEqual(['a', 'b']);
  });
});

describe('a dispatch that is aborted', () => {
  it('sends nothing further, waits for nothing, and throws the reason', async () => {
    const controller = new AbortController();
    const reason = new Error('time is up');
    const { promise: answer, resolve } = Promise.withResolvers<undefined>();
    const taken: string[] = [];
    const { send, ...others } = sendingThatSays({}, true);
    const sending: Sending = { ...others, send: (...request) => send(...request).then(() => answer) };
    const dispatched = sendInRounds(messages('a1', 'a2'), sending, {
      signal: controller.signal,
      onTaken: (ids) => taken.push(...ids),
    });
    await new Promise(setImmediate);
    controller.abort(reason);
    expect(await errorOf(dispatched)).toBe(reason);
    resolve(undefined);
    await new Promise(setImmediate);
    expect([sent, taken]).toEqual([['a1'], []]);
  });

  it('in a delay does not send again', async () => {
    const controller = new AbortController();
    const sleep = async () => controller.abort(new Error('time is up'));
    const sending = { ...sendingThatSays({ a: [passing] }), sleep };
    const error = await errorOf(sendInRounds(messages('a'), sending, { signal: controller.signal }));
    expect(error).toHaveProperty('message', 'time is up');
    expect(sent).toEqual(['a']);
  });
});

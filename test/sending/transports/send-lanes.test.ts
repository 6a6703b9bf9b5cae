import { beforeEach, describe, expect, it } from '@jest/globals';
import { InFlight } from '../../../lib/kernel/calls/in-flight.ts';
import type { QueueDestination } from '../../../lib/messages/destinations/destination.ts';
import type { OutgoingMessage } from '../../../lib/messages/message.ts';
import type { DispatchOptions } from '../../../lib/sending/dispatch-options.ts';
import type { SendFailure } from '../../../lib/sending/transports/send-failure.ts';
import { type Send, SendLanes } from '../../../lib/sending/transports/send-lanes.ts';
import { Sender } from '../../../lib/sending/transports/sender.ts';
import { codeOf, errorOf, sagaboxErrorOf } from '../../support/error-of.ts';
import { MovingClock } from '../../support/moving-clock.ts';
import { outgoingMessage } from '../../support/outgoing-messages.ts';

const messages = (...ids: string[]) =>
  ids.map((id) => outgoingMessage({ id, messageGroupId: id.slice(0, 1) }));
const many = (count: number) => messages(...Array.from({ length: count }, (_, index) => `m${index}`));
const passing: SendFailure = { isFinal: false, detail: 'slow' };
const final: SendFailure = { isFinal: true, detail: 'refused' };
const isDenied = Object.assign(new Error('no'), { name: 'AccessDenied' });

let sent: string[];
let clock: MovingClock;

beforeEach(() => {
  sent = [];
  clock = new MovingClock();
});

type Answers = Record<string, (SendFailure | Error)[]>;

interface Service {
  /** What it says of each message, one time after another; after that it takes them. */
  readonly says: Answers;
  /** When it answers, by the ids of messages. @default - at once */
  readonly slow?: Record<string, Promise<void>>;
}

/** A sender to a service that takes one message a call. */
function senderTo({ says, slow = {} }: Service): Sender<QueueDestination> {
  const call = async ([message]: readonly OutgoingMessage[]) => {
    const { id = '' } = message ?? {};
    sent.push(id);
    await slow[id];
    const answer = says[id]?.shift();
    if (answer instanceof Error) throw answer;
    return answer ? [{ ...answer, index: 0 }] : [];
  };
  const errors = { destinationErrors: new Set<string>(), messageErrors: new Set(['AccessDenied']) };
  const service = { maxBytes: 1, bytesOf: () => 1, ...errors, call };
  return new Sender({ service, clock, commits: new InFlight(), random: () => 0.5 });
}

const queue = (fifo: boolean): QueueDestination => ({
  kind: 'queue',
  name: 'billing',
  queueUrl: 'https://queues.test/billing',
  fifo,
});

const send = (of: readonly OutgoingMessage[], says: Answers, inOrder = false, options?: DispatchOptions) =>
  senderTo({ says }).send(of, queue(inOrder), options);

describe('messages', () => {
  it('that are taken are sent once', async () => {
    await send(messages('a', 'b'), {});
    expect([sent, clock.sleepsMs]).toEqual([['a', 'b'], []]);
  });

  it('are given up after four rounds, without a last wait, with an error that tells what is left', async () => {
    const error = await sagaboxErrorOf(send(messages('a', 'b'), { a: Array(5).fill(passing) }));
    expect(error).toMatchObject({
      code: 'DispatchFailed',
      facts: { destination: 'billing', failures: ['slow'] },
    });
    expect(sent).toEqual(['a', 'b', 'a', 'a', 'a']);
    expect(clock.sleepsMs).toEqual([50, 100, 200]);
  });

  it('of which some may pass may be sent again as a whole', async () => {
    const error = await sagaboxErrorOf(send(messages('a', 'b'), { a: [final], b: Array(4).fill(passing) }));
    expect(error).toMatchObject({ code: 'DispatchFailed', facts: { failures: ['refused', 'slow'] } });
  });

  it.each([
    [false, ['a1', 'a2', 'b1', 'b2']],
    [true, ['a1', 'b1', 'b2']],
  ])('behind a failed one of their group wait for it only in order (%s)', async (inOrder, expected) => {
    await errorOf(send(messages('a1', 'a2', 'b1', 'b2'), { a1: [final] }, inOrder));
    expect(sent.toSorted()).toEqual(expected);
  });

  it('in order go on behind one that is taken at last', async () => {
    await send(messages('a1', 'a2'), { a1: [passing] }, true);
    expect(sent).toEqual(['a1', 'a1', 'a2']);
  });

  it('in order go on while one of another group has no answer', async () => {
    const { promise: answersWhen, resolve: answer } = Promise.withResolvers<void>();
    const dispatched = senderTo({ says: {}, slow: { b1: answersWhen } }).send(
      messages('a1', 'b1', 'a2', 'b2'),
      queue(true),
    );
    for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
    expect(sent).toEqual(['a1', 'b1', 'a2']);
    answer();
    await dispatched;
    expect(sent).toEqual(['a1', 'b1', 'a2', 'b2']);
  });

  it('in order have four tries each', async () => {
    const ids = ['a1', 'a2', 'a3'];
    const says = Object.fromEntries(ids.map((id) => [id, Array(3).fill(passing)]));
    await send(messages(...ids), says, true);
    expect(sent).toEqual(ids.flatMap((id) => Array(4).fill(id)));
  });

  it('are told of when they are taken, also when others fail', async () => {
    const taken: string[] = [];
    const says = { a: [final], c: [passing], d: [passing, new Error('down')] };
    const onTaken = (ids: readonly string[]) => void taken.push(...ids);
    await errorOf(send(messages('a', 'b', 'c', 'd'), says, false, { onTaken }));
    expect(taken).toEqual(['b', 'c']);
  });

  it('that are not sent again are told of, with the reason', async () => {
    const refused: [string, string][] = [];
    const says = { a: [final], b: Array(4).fill(passing), c: [passing] };
    const onRefused: DispatchOptions['onRefused'] = (id, { detail }) => void refused.push([id, detail]);
    await errorOf(send(messages('a', 'b', 'c'), says, false, { onRefused }));
    expect(refused).toEqual([
      ['a', 'refused'],
      ['b', 'slow'],
    ]);
  });
});

describe('lanes', () => {
  const lanesOf = (count: number, inOrder: boolean) => new SendLanes(many(count), inOrder, () => 1, {});
  const take = (lanes: SendLanes, sends: readonly Send[]) => {
    for (const each of sends) lanes.note(each, undefined);
  };

  it.each([
    [false, 100, 20],
    [true, 1, 1],
  ])('of one group, in order (%s), have %i messages under way, and then %i', (inOrder, first, then) => {
    const lanes = lanesOf(120, inOrder);
    const sends = lanes.next();
    expect([sends.length, lanes.next().length]).toEqual([first, 0]);
    take(lanes, sends);
    expect(lanes.next()).toHaveLength(then);
  });

  it('have room for as many as were answered', () => {
    const lanes = lanesOf(120, false);
    take(lanes, lanes.next().slice(0, 7));
    expect(lanes.next()).toHaveLength(7);
  });

  it('of a dispatch whose call has failed have no further one, whatever is left', () => {
    const lanes = lanesOf(120, false);
    const [first, second] = lanes.next();
    if (first) lanes.note(first, passing);
    if (second) lanes.noteCallFailure(passing);
    expect([lanes.next(), lanes.isOver, lanes.areRefused]).toEqual([[], true, false]);
  });
});

describe('a call that fails as a whole', () => {
  it.each([
    // What is wrong may be a message: the others are tried.
    ['AccessDenied', 'DispatchRefused', 250, 250],
    // Those that went side by side with it.
    ['Throttled', 'DispatchFailed', 1, 10],
  ])('by %s is %s: of 250 messages, %i to %i are sent', async (name, code, atLeast, atMost) => {
    const failure = Object.assign(new Error('no'), { name });
    const error = await sagaboxErrorOf(send(many(250), { m0: [failure] }));
    const facts = { destination: 'billing', failures: [`${name}: no`] };
    expect(error).toMatchObject({ code, facts, cause: failure });
    expect(sent.length).toBeGreaterThanOrEqual(atLeast);
    expect(sent.length).toBeLessThanOrEqual(atMost);
  });

  it('for what is wrong with a message, keeps no other from being sent again', async () => {
    expect(await codeOf(send(messages('a', 'b'), { a: [passing], b: [isDenied] }))).toBe('DispatchRefused');
    expect(sent).toEqual(['a', 'b', 'a']);
  });

  it('for what may pass, lets nothing be sent again', async () => {
    const says = { a: [passing], b: [new Error('down')] };
    expect(await codeOf(send(messages('a', 'b'), says))).toBe('DispatchFailed');
    expect(sent).toEqual(['a', 'b']);
  });
});

describe('a dispatch that is aborted', () => {
  it('sends nothing further, waits for nothing, and throws the reason', async () => {
    const controller = new AbortController();
    const reason = new Error('time is up');
    const { promise: answersWhen, resolve: answer } = Promise.withResolvers<void>();
    const taken: string[] = [];
    const dispatched = senderTo({ says: {}, slow: { a1: answersWhen } }).send(
      messages('a1', 'a2'),
      queue(true),
      {
        signal: controller.signal,
        onTaken: (ids) => taken.push(...ids),
      },
    );
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
    controller.abort(reason);
    expect(await errorOf(dispatched)).toBe(reason);
    answer();
    await new Promise(setImmediate);
    expect([sent, taken]).toEqual([['a1'], []]);
  });

  it('begins no call that waits for its turn', async () => {
    const controller = new AbortController();
    const { promise: answersWhen, resolve: answer } = Promise.withResolvers<void>();
    const slow = Object.fromEntries(many(10).map(({ id }) => [id, answersWhen]));
    const sender = senderTo({ says: {}, slow });
    const { signal } = controller;
    const dispatched = errorOf(sender.send(many(12), queue(false), { signal }));
    for (let turn = 0; turn < 3; turn += 1) await new Promise(setImmediate);
    controller.abort(new Error('time is up'));
    answer();
    expect(await dispatched).toHaveProperty('message', 'time is up');
    await sender.send(messages('x'), queue(false));
    expect(sent).toEqual([...many(10).map(({ id }) => id), 'x']);
  });

  it('in a delay does not send again', async () => {
    const controller = new AbortController();
    clock.sleep = async () => controller.abort(new Error('time is up'));
    const error = await errorOf(send(messages('a'), { a: [passing] }, false, { signal: controller.signal }));
    expect(error).toHaveProperty('message', 'time is up');
    expect(sent).toEqual(['a']);
  });
});

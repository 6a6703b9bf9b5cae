import { beforeEach, describe, expect, it } from '@jest/globals';
import { defineSaga, type StateMapper } from 'sagabox';
import { type SagaTest, sqsRecord, testSaga } from 'sagabox/testing';
import * as v from 'valibot';
import { defaultMapper } from '../../../lib/saga/item/mapper.dynamodb.ts';
import { codeOf, sagaboxErrorOf } from '../../support/error-of.ts';

const poll = v.object({ poll: v.string() });
interface Poll {
  sum: number;
  runs: number;
  more: boolean[];
}

const pollSaga = defineSaga({
  name: 'Poll',
  messages: {
    Opened: poll,
    Voted: v.object({ poll: v.string(), votes: v.array(v.any()), key: v.optional(v.string()) }),
    VotedBadly: v.object({ poll: v.string(), how: v.string() }),
    Counted: v.object({
      poll: v.string(),
      atLeast: v.optional(v.number()),
      atMost: v.optional(v.number()),
      prefix: v.pipe(
        v.optional(v.string(), ''),
        v.transform((text) => `${text}!`),
      ),
    }),
    CountedBadly: v.object({ poll: v.string(), how: v.string() }),
    Closed: poll,
  },
  correlate: {
    Opened: (m) => m.poll,
    Voted: (m) => m.poll,
    VotedBadly: (m) => m.poll,
    Counted: (m) => m.poll,
    CountedBadly: (m) => m.poll,
    Closed: (m) => m.poll,
  },
  startedBy: ['Opened', 'Counted'],
  appendedBy: ['Voted', 'VotedBadly'],
  collectedBy: ['Counted', 'CountedBadly'],
  initialState: (): Poll => ({ sum: 0, runs: 0, more: [] }),
  handlers: {
    Opened(_message, { saga }) {
      saga.state.runs = 0;
    },
    Voted({ body }, { saga, send }) {
      for (const vote of body.votes) saga.append(body.key ?? 'votes', vote);
      send('audit', 'Seen', { sum: saga.state.sum });
    },
    VotedBadly({ body }, context) {
      // biome-ignore lint/suspicious/noExplicitAny: what the types refuse
      const { saga, requestTimeout } = context as any;
      if (body.how === 'well') saga.append('votes', 1);
      if (body.how === 'state') saga.state.sum = 7;
      if (body.how === 'complete') saga.complete();
      if (body.how === 'timeout') requestTimeout('Counted', { poll: body.poll }, { after: { minutes: 1 } });
      if (body.how === 'collect') return saga.collect('votes');
      if (body.how === 'key') saga.append('a#b', 1);
      if (body.how === 'undefined') saga.append('votes', undefined);
      if (body.how === 'function') saga.append('votes', { f: () => 1 });
      if (body.how === 'keepFor') saga.append('votes', 1, { keepFor: { seconds: 0 } });
      if (body.how === 'option') saga.append('votes', 1, { keepfor: { days: 1 } });
      if (body.how === 'late') setImmediate(() => saga.append('votes', 1));
      if (body.how === 'large') saga.append('votes', 'x'.repeat(410_000));
      if (body.how === 'many') for (let vote = 0; vote < 100; vote += 1) saga.append('votes', vote);
    },
    async Counted({ body }, { saga }) {
      const votes = await saga.collect<number>('votes', {
        atLeast: body.atLeast ?? 0,
        atMost: body.atMost ?? 90,
      });
      if (votes === undefined) return;
      saga.state.runs += 1;
      for (const vote of votes.values) saga.state.sum += vote;
      saga.state.more.push(votes.hasMore);
    },
    async CountedBadly({ body }, context) {
      // biome-ignore lint/suspicious/noExplicitAny: what the types refuse
      const { saga } = context as any;
      if (body.how === 'unawaited') return void saga.collect('votes');
      if (body.how === 'unawaited and read') {
        saga.collect('votes');
        return await new Promise((resolve) => setImmediate(resolve));
      }
      if (body.how === 'unawaited and refused') return void saga.collect('a#b');
      if (body.how === 'under way') {
        const fold = () => {
          saga.state.sum = -1;
        };
        return void saga.collect('votes').then(fold, () => {});
      }
      if (body.how === 'awaited elsewhere') {
        let sum = 0;
        await Promise.all([
          saga.collect('votes').then(({ values }: { values: number[] }) => (sum += values.length)),
        ]);
        saga.state.sum += sum;
        return;
      }
      if (body.how === 'caught') return await saga.collect('a#b').catch(() => {});
      const [atLeast, atMost] = [body.how === 'atLeast' ? 0.5 : 0, mostOf[body.how] ?? 90];
      await saga.collect('votes', { atLeast, atMost });
      if (body.how === 'option') await saga.collect('comments', { atleast: 5 });
      if (body.how === 'twice') await saga.collect('votes');
      if (body.how === 'append') saga.append('votes', 1);
      if (body.how === 'complete') saga.complete();
      if (body.how === 'other key') saga.state.more.push((await saga.collect('comments')).hasMore);
      if (body.how === 'throw') throw new Error('after it collected');
    },
    Closed(_message, { saga }) {
      saga.complete();
    },
  },
});

const line = v.object({ poll: v.string(), line: v.pipe(v.number(), v.transform(String)) });
const linesSaga = defineSaga({
  name: 'Lines',
  messages: { Opened: poll, Added: line, Counted: line },
  correlate: { Opened: (m) => m.poll, Added: (m) => m.poll, Counted: (m) => m.poll },
  startedBy: ['Opened'],
  appendedBy: ['Added'],
  collectedBy: ['Counted'],
  initialState: () => ({}),
  handlers: {
    Opened: () => {},
    Added: ({ body }, { saga }) => saga.append(`line-${body.line}`, 1),
    async Counted({ body }, { saga }) {
      await saga.collect(`line-${body.line}`);
    },
  },
});

const mostOf: Readonly<Record<string, number>> = {
  'none at most': 0,
  'over 90 at most': 91,
  'half of one at most': 0.5,
};

let test: SagaTest<typeof pollSaga.messages, Poll>;

beforeEach(async () => {
  test = testSaga(pollSaga);
  await test.deliver('Opened', { poll: '1' });
});

async function vote(...votes: unknown[]): Promise<void> {
  await test.deliver('Voted', { poll: '1', votes });
}

describe('saga.append', () => {
  it('leaves the saga as it is, and what it added is found once', async () => {
    await vote(1, 2);
    await vote(3);
    expect(test.state('1')).toEqual({ sum: 0, runs: 0, more: [] });
    await test.deliver('Counted', { poll: '1' });
    expect(test.state('1')).toEqual({ sum: 6, runs: 1, more: [false] });
    await test.deliver('Counted', { poll: '1' });
    expect(test.state('1')).toMatchObject({ sum: 6, runs: 2 });
  });

  it('adds nothing a second time for a duplicate', async () => {
    await test.deliver('Voted', { poll: '1', votes: [1] }, { id: 'a' });
    await test.deliver('Voted', { poll: '1', votes: [1] }, { id: 'a' });
    await test.deliver('Counted', { poll: '1' });
    expect(test.state('1')?.sum).toBe(1);
  });

  it('adds nothing to a saga that is not there, or to the next one under its id', async () => {
    await vote(1);
    await test.deliver('Closed', { poll: '1' });
    await vote(2);
    expect(test.discarded).toHaveLength(1);
    await test.advance({ minutes: 1 });
    await test.deliver('Opened', { poll: '1' });
    await vote(4);
    await test.deliver('Counted', { poll: '1' });
    expect(test.state('1')?.sum).toBe(4);
  });

  it('keeps what was appended when the handler changes it afterwards', async () => {
    const saga = defineSaga({
      name: 'Copied',
      messages: { Opened: poll, Voted: poll, Counted: poll },
      correlate: { Opened: (m) => m.poll, Voted: (m) => m.poll, Counted: (m) => m.poll },
      startedBy: ['Opened'],
      appendedBy: ['Voted'],
      collectedBy: ['Counted'],
      initialState: () => ({ found: [] as unknown[] }),
      handlers: {
        Opened() {},
        Voted(_message, context) {
          const value = { bytes: new Uint8Array([1]), set: new Set(['a']) };
          context.saga.append('votes', value);
          value.set.add('b');
        },
        async Counted(_message, context) {
          context.saga.state.found.push(...(await context.saga.collect('votes')).values);
        },
      },
    });
    const copied = testSaga(saga);
    for (const type of ['Opened', 'Voted', 'Counted'] as const) await copied.deliver(type, { poll: '1' });
    expect(copied.state('1')?.found).toEqual([{ bytes: new Uint8Array([1]), set: new Set(['a']) }]);
  });

  it('leaves a pending timeout of its type, which a deployment may have moved to appendedBy', async () => {
    const saga = defineSaga({
      name: 'Moved',
      messages: { Opened: poll, Voted: poll, Counted: poll },
      correlate: { Opened: (m) => m.poll, Voted: (m) => m.poll, Counted: (m) => m.poll },
      startedBy: ['Opened'],
      appendedBy: ['Voted'],
      collectedBy: ['Counted'],
      initialState: () => ({ found: 0 }),
      handlers: {
        Opened: (_message, context) =>
          context.requestTimeout('Voted' as never, { poll: '1' } as never, { after: { minutes: 1 } }),
        Voted: (_message, { saga }) => saga.append('votes', 1),
        async Counted(_message, { saga }) {
          saga.state.found += (await saga.collect('votes')).values.length;
        },
      },
    });
    const appendedBy = saga.appendedBy as Set<string>;
    appendedBy.delete('Voted');
    const moved = testSaga(saga);
    await moved.deliver('Opened', { poll: '1' });
    appendedBy.add('Voted');
    const [result] = await moved.fireTimeouts();
    expect(result?.outcome).toBe('handled');
    await moved.deliver('Counted', { poll: '1' });
    expect(moved.state('1')).toEqual({ found: 1 });
  });

  it('does not ask the mapper whether a handler that did not look at the state changed it', async () => {
    const mapper: StateMapper = { ...defaultMapper, isSame: () => false };
    const mapped = testSaga(pollSaga, { mapper });
    await mapped.deliver('Opened', { poll: '1' });
    await mapped.deliver('VotedBadly', { poll: '1', how: 'well' });
    await mapped.deliver('Counted', { poll: '1' });
    expect(mapped.state('1')).toMatchObject({ sum: 1 });
  });

  it('is refused under a key made of an integer that JavaScript has rounded, as collecting is', async () => {
    const refused = {
      code: 'InvalidContribution',
      message: expect.stringContaining('its key is made of body.line, 9007199254740993, which is beyond'),
    };
    const rawBody = '{"poll":"1","line":9007199254740993}';
    const lines = testSaga(linesSaga);
    await lines.deliverRecord(sqsRecord({ type: 'Opened', rawBody }));
    for (const type of ['Added', 'Counted']) {
      await expect(lines.deliverRecord(sqsRecord({ type, rawBody }))).rejects.toMatchObject(refused);
    }
  });

  it.each([
    ['state', 'AppendOnly'],
    ['complete', 'AppendOnly'],
    ['timeout', 'AppendOnly'],
    ['collect', 'InvalidContribution'],
    ['key', 'InvalidContribution'],
    ['undefined', 'InvalidContribution'],
    ['function', 'InvalidContribution'],
    ['keepFor', 'InvalidContribution'],
    ['option', 'InvalidContribution'],
    ['large', 'ItemTooLarge'],
    ['many', 'TransactionLimit'],
  ])('is refused as a whole for what is wrong: %s', async (how, code) => {
    expect(await codeOf(test.deliver('VotedBadly', { poll: '1', how }))).toBe(code);
    await test.deliver('Counted', { poll: '1' });
    expect(test.state('1')).toEqual({ sum: 0, runs: 1, more: [false] });
    expect(test.timeouts).toEqual([]);
  });
});

describe('saga.collect', () => {
  const count = (votes: number) => Array.from({ length: votes }, () => 1);

  it.each([
    [90, [false]],
    [91, [true, false]],
    [200, [true, true, false]],
  ])('gives %i contributions in commits of at most 90, and asks for itself again', async (votes, more) => {
    for (let left = votes; left > 0; left -= 20) await vote(...count(Math.min(left, 20)));
    await test.deliver('Counted', { poll: '1', atLeast: votes });
    while (test.timeouts.length > 0) await test.fireTimeouts();
    expect(test.state('1')).toEqual({ sum: votes, runs: more.length, more });
  });

  it.each([
    [7, 3, [3, 3, 1]],
    [6, 3, [3, 3]],
    [3, 1, [1, 1, 1]],
    [2, 90, [2]],
  ])('gives %i contributions, at most %i at once', async (votes, atMost, given) => {
    await vote(...Array.from({ length: votes }, () => 1));
    await test.deliver('Counted', { poll: '1', atMost });
    const sums = [test.state('1')?.sum];
    while (test.timeouts.length > 0) {
      await test.fireTimeouts();
      sums.push(test.state('1')?.sum);
    }
    const rounds = given.map((_each, index) => given.slice(0, index + 1).reduce((sum, each) => sum + each));
    expect(sums).toEqual(rounds);
    expect(test.state('1')?.more).toEqual(given.map((_each, index) => index < given.length - 1));
  });

  it('comes again with the body as it was received, once for each commit', async () => {
    await vote(...count(90));
    await vote(...count(10));
    const { timeouts } = await test.deliver('Counted', { poll: '1', prefix: 'a' });
    expect(timeouts).toMatchObject([{ type: 'Counted', body: { poll: '1', prefix: 'a' } }]);
    const [result] = await test.fireTimeouts();
    expect(result?.timeouts).toEqual([]);
  });

  it('gives none below atLeast, and deletes none', async () => {
    await vote(...count(3));
    await test.deliver('Counted', { poll: '1', atLeast: 4 });
    expect(test.state('1')).toMatchObject({ runs: 0 });
    expect(test.timeouts).toEqual([]);
    await vote(1);
    await test.deliver('Counted', { poll: '1', atLeast: 4 });
    expect(test.state('1')).toMatchObject({ runs: 1, sum: 4 });
  });

  it('gives none to a saga that it starts', async () => {
    await test.deliver('Counted', { poll: 'new' });
    expect(test.state('new')).toEqual({ sum: 0, runs: 1, more: [false] });
  });

  it('takes no more than a transaction takes in bytes', async () => {
    for (let large = 0; large < 10; large += 1) await vote('x'.repeat(380_000));
    await test.deliver('CountedBadly', { poll: '1', how: 'none' });
    expect(test.timeouts).toHaveLength(1);
    await test.fireTimeouts();
    await test.deliver('Counted', { poll: '1' });
    expect(test.state('1')).toMatchObject({ sum: 0 });
  });

  it('shares what a transaction takes among the keys of a handler', async () => {
    for (let large = 0; large < 6; large += 1) {
      await vote('x'.repeat(380_000));
      await test.deliver('Voted', { poll: '1', votes: ['x'.repeat(380_000)], key: 'comments' });
    }
    await test.deliver('CountedBadly', { poll: '1', how: 'other key' });
    while (test.timeouts.length > 0) await test.fireTimeouts();
    expect(test.state('1')?.more).toEqual([true, false]);
  });

  it('lets its handler complete the saga with the last of them, and not before', async () => {
    await vote(...count(90));
    await vote(1);
    const error = await sagaboxErrorOf(test.deliver('CountedBadly', { poll: '1', how: 'complete' }));
    expect(error).toMatchObject({ code: 'InvalidContribution', facts: { key: 'votes' } });
    expect(error.message).toContain("completed the saga while 'hasMore' was true");
    await test.deliver('Counted', { poll: '1' });
    const { timeouts } = await test.deliver('CountedBadly', { poll: '1', how: 'complete' });
    expect([timeouts, test.isCompleted('1')]).toEqual([[], true]);
  });

  it.each([
    [0, 'unawaited'],
    [1, 'unawaited'],
    [1, 'unawaited and read'],
    [1, 'unawaited and refused'],
    [1, 'under way'],
  ])('of %i is awaited, or its handler fails and nothing is deleted: %s', async (votes, how) => {
    await vote(...count(votes));
    const error = await sagaboxErrorOf(test.deliver('CountedBadly', { poll: '1', how }));
    expect(error).toMatchObject({ code: 'HandlerReturned', facts: { member: 'saga.collect()' } });
    expect(error.message).toContain('was not awaited by the handler');
    await test.deliver('Counted', { poll: '1' });
    expect(test.state('1')?.sum).toBe(votes);
  });

  it('can be awaited together with other work', async () => {
    await vote(1, 1);
    await test.deliver('CountedBadly', { poll: '1', how: 'awaited elsewhere' });
    expect(test.state('1')?.sum).toBe(2);
  });

  it('lets its handler go on after an error that it catches', async () => {
    await vote(1);
    await test.deliver('CountedBadly', { poll: '1', how: 'caught' });
    await test.deliver('Counted', { poll: '1' });
    expect(test.state('1')?.sum).toBe(1);
  });

  it('deletes nothing if its handler throws', async () => {
    await vote(1);
    await expect(test.deliver('CountedBadly', { poll: '1', how: 'throw' })).rejects.toThrow(
      'after it collected',
    );
    await test.deliver('Counted', { poll: '1' });
    expect(test.state('1')?.sum).toBe(1);
  });

  it('ends with its saga: what was left is not asked for', async () => {
    await vote(...count(90));
    await vote(1);
    await test.deliver('Counted', { poll: '1' });
    await test.deliver('Closed', { poll: '1' });
    const [result] = await test.fireTimeouts();
    expect(result?.outcome).toBe('discarded');
  });

  it.each(['atLeast', 'none at most', 'over 90 at most', 'half of one at most', 'option', 'twice', 'append'])(
    'is refused for what is wrong: %s',
    async (how) => {
      await vote(1);
      const error = await sagaboxErrorOf(test.deliver('CountedBadly', { poll: '1', how }));
      expect(error.code).toBe('InvalidContribution');
      await test.deliver('Counted', { poll: '1' });
      expect(test.state('1')?.sum).toBe(1);
    },
  );
});

import { describe, expect, it } from '@jest/globals';
import {
  createHandler,
  defineContract,
  defineHandlers,
  defineSaga,
  type StateMapper,
  scatterGather,
  UnrecoverableError,
} from 'sagabox';
import { sqsRecord, testApp, testHandlers, testSaga } from 'sagabox/testing';
import * as z from 'zod';
import { outboxOfForm } from '../../support/outbox-of-form.ts';
import { samples } from '../../support/samples.ts';

const echo = defineContract(
  'echo',
  { Ask: z.object({ requestId: z.string(), value: z.int() }) },
  { replies: { Told: z.object({ requestId: z.string(), value: z.int() }) } },
);

const settings = {
  name: 'Echo',
  endpoint: 'gathering',
  asks: echo,
  request: 'Ask',
  reply: 'Told',
  timeout: { minutes: 2 },
} as const;

type Answers = 'once' | 'twice' | 'never';

interface Setup {
  readonly width?: number;
  readonly outbox?: 'records' | 'both' | 'embedded';
  readonly coalesce?: boolean;
  /** By the value that is asked. */
  readonly answers?: (value: number) => Answers;
  readonly seed?: number;
}

/** An endpoint that starts scatter-gathers, one that runs them, and one that answers. */
function newApp({ answers = () => 'once', seed, outbox, ...options }: Setup = {}) {
  const gathering = scatterGather({ ...settings, width: 3, outbox: outboxOfForm(outbox), ...options });
  const starter = defineSaga({
    name: 'Starter',
    messages: {
      Begin: z.object({ id: z.string(), count: z.int() }),
      Stop: z.object({ id: z.string() }),
      ...gathering.contract.replies,
    },
    sends: [gathering.contract],
    correlate: { Begin: ({ id }) => id, Stop: ({ id }) => id, EchoGathered: ({ id }) => id },
    startedBy: ['Begin'],
    initialState: () => ({ results: [] as object[] }),
    handlers: {
      Begin({ body: { id, count } }, context) {
        const requests = Array.from({ length: count }, (_, value) => ({ value }));
        gathering.start(context, { id, requests });
      },
      Stop: ({ body }, context) => gathering.cancel(context, body.id),
      EchoGathered({ body: { result, ...rest } }, { saga }) {
        const values = result.map(({ index, body }) => [index, body.value]);
        saga.state.results.push({ ...rest, values });
      },
    },
  });
  const answering = defineHandlers({
    messages: echo.messages,
    replies: [echo],
    handlers: {
      Ask({ body }, { reply }) {
        const times = { once: 1, twice: 2, never: 0 }[answers(body.value)];
        for (let time = 0; time < times; time += 1) reply('Told', body);
      },
    },
  });
  const app = testApp(
    [
      { endpoint: 'starting', handles: starter },
      { endpoint: 'gathering', handles: gathering.saga },
      { endpoint: 'echo', handles: answering },
    ],
    { throwOnFailure: false, maxDeliveries: 5000, ...(seed !== undefined && { seed }) },
  );
  const results = (id = 'a') => (app.state(starter, id) as { results: object[] } | undefined)?.results;
  return { app, gathering, results };
}

const range = (count: number) => Array.from({ length: count }, (_, index) => index);
const complete = (count: number) => ({
  id: 'a',
  outcome: 'complete',
  requests: count,
  missing: [],
  values: range(count).map((index) => [index, index]),
});

describe('scatterGather', () => {
  it.each([1, 2, 3, 4, 9, 10, 28])('gathers the replies to %i requests, in order', async (count) => {
    const { app, gathering, results } = newApp();
    app.send('starting', 'Begin', { id: 'a', count });
    await app.deliverAll();
    expect(results()).toEqual([complete(count)]);
    expect(app.sentTo('echo')).toEqual([]);
    expect(app.isCompleted(gathering.saga, 'a')).toBe(true);
    await app.advance({ minutes: 10 });
    expect(app.endpoint('gathering').errorQueue).toEqual([]);
    expect(results()).toHaveLength(1);
  });

  it.each(
    (['records', 'both', 'embedded'] as const).flatMap((outbox) =>
      [true, false].map((coalesce) => ({ outbox, coalesce })),
    ),
  )('counts every reply once, with $outbox, coalesce $coalesce, duplicates and conflicts', async (form) => {
    for (const seed of range(samples(3))) {
      const { app, results } = newApp({ ...form, seed, answers: () => 'twice' });
      app.send('starting', 'Begin', { id: 'a', count: 20 });
      await app.deliverAll();
      for (const endpoint of ['starting', 'gathering', 'echo'] as const) app.redeliver(endpoint, {});
      await app.deliverAll();
      expect(results()).toEqual([complete(20)]);
      expect(app.endpoint('gathering').errorQueue).toEqual([]);
    }
  });

  it('has what was answered in time, and which requests were not', async () => {
    const { app, gathering, results } = newApp({ answers: (value) => (value % 7 === 3 ? 'never' : 'once') });
    app.send('starting', 'Begin', { id: 'a', count: 20 });
    await app.deliverAll();
    await app.advance({ seconds: 119 });
    expect(results()).toEqual([]);
    await app.advance({ seconds: 1 });
    const values = range(20).filter((value) => value % 7 !== 3);
    expect(results()).toEqual([
      {
        id: 'a',
        outcome: 'timedOut',
        requests: 20,
        missing: [3, 10, 17],
        values: values.map((value) => [value, value]),
      },
    ]);
    expect(app.isCompleted(gathering.saga, 'a')).toBe(true);
  });

  it('ends without a part that does not report', async () => {
    const { app, results } = newApp();
    app.fail('gathering', 'EchoPart', { error: new UnrecoverableError('it is broken') });
    app.send('starting', 'Begin', { id: 'a', count: 9 });
    await app.deliverAll();
    expect(app.endpoint('gathering').errorQueue).toHaveLength(1);
    await app.advance({ minutes: 2 });
    expect(results()).toEqual([]);
    await app.advance({ minutes: 1 });
    expect(results()).toMatchObject([{ outcome: 'timedOut', missing: [0, 1, 2] }]);
    await app.advance({ minutes: 10 });
    expect(results()).toHaveLength(1);
  });

  describe.each([
    { when: 'while its scatter-gather waits for it', after: { seconds: 100 }, asked: 3, missing: [] },
    { when: 'when it has ended without it', after: { minutes: 4 }, asked: 0, missing: [0, 1, 2] },
  ])('a part that comes out of the error queue $when', ({ after, asked, missing }) => {
    it(`sends ${asked} requests`, async () => {
      const { app, gathering, results } = newApp();
      app.fail('gathering', 'EchoPart', { error: new UnrecoverableError('it is broken'), times: 1 });
      app.send('starting', 'Begin', { id: 'a', count: 9 });
      await app.deliverAll();
      await app.advance(after);
      expect(app.redrive('gathering')).toBe(1);
      const deliveries = await app.deliverAll();
      expect(deliveries.filter(({ endpoint }) => endpoint === 'echo')).toHaveLength(asked);
      await app.advance({ minutes: 10 });
      expect(results()).toMatchObject([{ missing }]);
      expect(app.isCompleted(gathering.saga, 'a')).toBe(true);
      expect(app.endpoint('gathering').errorQueue).toEqual([]);
    });
  });

  it.each([
    ['just in time', 119_999, 2],
    ['too late', 120_000, 0],
  ])(
    'a part that SQS first delivers %s sends %j ms after it was sent %i requests',
    async (_when, waited, asked) => {
      const { gathering } = newApp();
      const gatherer = testSaga(gathering.saga, { destinations: ['echo', 'gathering'] });
      const record = sqsRecord({
        type: 'EchoPart',
        body: {
          id: 'a',
          run: '00000000-0000-8000-8000-000000000000',
          path: '0',
          waitsMs: 120_000,
          first: 0,
          requests: [{ value: 1 }, { value: 2 }],
        },
      });
      const { SentTimestamp } = record.attributes;
      const ApproximateFirstReceiveTimestamp = String(Number(SentTimestamp) + waited);
      const attributes = { ...record.attributes, ApproximateFirstReceiveTimestamp };
      await gatherer.deliverRecord({ ...record, attributes });
      expect(gatherer.outgoing.filter(({ type }) => type === 'Ask')).toHaveLength(asked);
    },
  );

  it('ends early when it is cancelled, with what has arrived', async () => {
    const { app, gathering, results } = newApp({ answers: (value) => (value < 8 ? 'once' : 'never') });
    app.send('starting', 'Begin', { id: 'a', count: 10 });
    await app.deliverAll();
    app.send('starting', 'Stop', { id: 'a' });
    await app.deliverAll();
    expect(results()).toMatchObject([{ outcome: 'cancelled', requests: 10, missing: [8, 9] }]);
    expect(app.isCompleted(gathering.saga, 'a')).toBe(true);
    app.send('starting', 'Stop', { id: 'a' });
    await app.deliverAll();
    expect(results()).toHaveLength(1);
    await app.advance({ minutes: 10 });
    expect(app.endpoint('gathering').errorQueue).toEqual([]);
    expect(results()).toHaveLength(1);
  });

  it('tells the parts that have not reported again when it is cancelled again', async () => {
    const { app, results } = newApp({ answers: () => 'never' });
    app.send('starting', 'Begin', { id: 'a', count: 9 });
    await app.deliverAll();
    const own = () => app.endpoint('gathering').outgoing.filter(({ type }) => type === 'EchoCancel');
    // As if each was in the dead letter queue.
    app.fail('gathering', 'EchoReport', { times: 100 });
    app.send('starting', 'Stop', { id: 'a' });
    await app.deliverAll();
    expect([own().length, results()]).toEqual([3, []]);
    app.send('starting', 'Stop', { id: 'a' });
    await app.deliverAll();
    expect(own()).toHaveLength(6);
  });

  it('refuses a request at its start whose id would be too long with the place in the tree', async () => {
    const Ask = z.object({ requestId: z.string().max(44), value: z.int() });
    const short = defineContract('echo', { Ask }, { replies: echo.replies });
    const { saga } = scatterGather({ ...settings, asks: short, width: 3 });
    const test = testSaga(saga);
    const start = (count: number) => {
      const requests = Array.from({ length: count }, (_, value) => ({ value }));
      return test.deliver('EchoStart', { id: `a${count}`, requests });
    };
    // The id, its run of 36 characters, and the place of the request: 'a2', '/', …, '//1'.
    expect((await start(2)).outgoing).toHaveLength(2);
    await expect(start(30)).rejects.toMatchObject({ code: 'InvalidMessage' });
  });

  it('discards replies that come when it has ended', async () => {
    const { app, results } = newApp({ answers: () => 'never' });
    app.send('starting', 'Begin', { id: 'a', count: 2 });
    await app.deliverAll();
    const [late] = app.endpoint('gathering').outgoing.filter(({ type }) => type === 'Ask');
    await app.advance({ minutes: 2 });
    app.send('gathering', 'Told', late?.body as { requestId: string; value: number });
    await app.deliverAll();
    expect(app.endpoint('gathering').discarded).toMatchObject([{ type: 'Told' }]);
    expect(results()).toHaveLength(1);
  });

  it('starts once for a start that is delivered twice, also after its end', async () => {
    const { app, results } = newApp();
    app.send('starting', 'Begin', { id: 'a', count: 7 });
    await app.deliverAll();
    app.redeliver('gathering', { type: 'EchoStart' });
    app.redeliver('gathering', { type: 'EchoPart' });
    await app.deliverAll();
    await app.advance({ minutes: 10 });
    expect(results()).toEqual([complete(7)]);
    expect(app.endpoint('gathering').errorQueue).toEqual([]);
  });

  it('ends with what fits when the replies are too large for an item, and keeps the others', async () => {
    const body = z.object({ requestId: z.string(), content: z.string() });
    const large = defineContract(
      'large',
      { Ask: z.object({ requestId: z.string() }) },
      { replies: { Told: body } },
    );
    const gathering = scatterGather({ ...settings, asks: large, width: 8, resultTo: 'sender' });
    const app = testApp(
      [
        { endpoint: 'gathering', handles: gathering.saga },
        {
          endpoint: 'large',
          handles: defineHandlers({
            messages: large.messages,
            replies: [large],
            handlers: {
              Ask: ({ body }, { reply }) => reply('Told', { ...body, content: 'x'.repeat(150_000) }),
            },
          }),
        },
      ],
      { throwOnFailure: false },
    );
    app.send('gathering', 'EchoStart' as never, { id: 'a', requests: [{}, {}, {}, {}] } as never);
    await app.deliverAll();
    const failed = app.endpoint('gathering').errorQueue;
    expect(failed).toMatchObject(
      ['Told', 'Told'].map((type) => ({ type, failure: { code: 'ItemTooLarge' } })),
    );
    await app.advance({ minutes: 2 });
    const [result] = app.endpoint('gathering').outgoing.filter(({ type }) => type === 'EchoGathered');
    expect(result?.body).toMatchObject({ outcome: 'timedOut', missing: [2, 3] });
    expect(app.isCompleted(gathering.saga, 'a')).toBe(true);
  });

  it('gathers nothing of an earlier one with the same id', async () => {
    const { app, results } = newApp({ answers: () => 'never' });
    app.send('starting', 'Begin', { id: 'a', count: 2 });
    await app.deliverAll();
    const [late] = app.endpoint('gathering').outgoing.filter(({ type }) => type === 'Ask');
    await app.advance({ minutes: 2 });
    app.send('starting', 'Begin', { id: 'a', count: 2 });
    await app.deliverAll();
    app.send('gathering', 'Told', late?.body as { requestId: string; value: number });
    await app.deliverAll();
    expect(app.endpoint('gathering').errorQueue).toMatchObject([
      { type: 'Told', failure: { code: 'ReplyNotAwaited' } },
    ]);
    await app.advance({ minutes: 2 });
    expect(results()).toMatchObject([{ missing: [0, 1] }, { missing: [0, 1] }]);
  });
});

describe('bad input of a scatter-gather', () => {
  const { gathering } = newApp();
  const starting = defineHandlers({
    messages: { Begin: z.object({ id: z.string(), values: z.array(z.unknown()) }) },
    sends: [gathering.contract],
    handlers: {
      Begin({ body: { id, values } }, context) {
        gathering.start(context, { id, requests: values.map((value) => ({ value: value as number })) });
      },
    },
  });
  const begin = async (values: unknown[], id = 'a') =>
    await testHandlers(starting).deliver('Begin', { id, values });

  it.each([
    [0, 'refused'],
    [1, 'sent'],
    [10_000, 'sent'],
    [10_001, 'refused'],
  ])('%i requests are %s', async (count, outcome) => {
    const beginning = begin(range(count));
    if (outcome === 'sent') expect((await beginning).outgoing).toHaveLength(1);
    else
      await expect(beginning).rejects.toMatchObject({
        code: 'ScatterGatherSize',
        facts: { requests: count },
      });
  });

  it.each(['Begin', 'End'])(
    'an id made of an integer that JavaScript has rounded is refused: %s',
    async (type) => {
      const order = z.object({ orderId: z.number() });
      const byOrder = defineHandlers({
        messages: { Begin: order, End: order },
        sends: [gathering.contract],
        handlers: {
          Begin({ body }, context) {
            gathering.start(context, { id: `order-${body.orderId}`, requests: [{ value: 1 }] });
          },
          End: ({ body }, context) => gathering.cancel(context, `order-${body.orderId}`),
        },
      });
      const rounded = sqsRecord({ type, rawBody: '{"orderId":9007199254740993}' });
      await expect(testHandlers(byOrder).deliverRecord(rounded)).rejects.toMatchObject({
        code: 'InvalidOutgoingMessage',
        facts: {
          detail: expect.stringContaining('its id is made of body.orderId, 9007199254740993, which is'),
        },
      });
    },
  );

  it('one request of many that does not fit is refused with its index, and nothing is sent', async () => {
    await expect(begin([1, 2, 'three'])).rejects.toMatchObject({
      code: 'InvalidOutgoingMessage',
      facts: { issues: [expect.stringContaining('requests.2.value')] },
    });
  });

  it.each([
    ['none', { id: 'a', requests: [] }, 'there are 0'],
    ['too many', { id: 'a', requests: range(10_001).map((value) => ({ value })) }, 'there are 10001'],
    ['one that does not fit', { id: 'a', requests: [{ value: 'x' }] }, 'requests.0.value'],
    ['one that is no object', { id: 'a', requests: [null] }, 'requests.0.value'],
    ['no list', { id: 'a' }, 'requests: it is no array'],
    ['no id', { id: '', requests: [{ value: 1 }] }, 'id: it is no non-empty string'],
    [
      'the id of a part',
      { id: 'a/0f9c2d1e-0000-8000-8000-000000000000/0', requests: [{ value: 1 }] },
      'id: it is the id of a part',
    ],
    ['no body', null, 'it is no object'],
  ])('a start by hand with %s is kept in the error queue', async (_what, body, problem) => {
    const { app } = newApp();
    app.send('gathering', 'EchoStart' as never, body as never);
    await app.deliverAll();
    expect(app.endpoint('gathering').errorQueue).toMatchObject([
      { type: 'EchoStart', failure: { code: 'InvalidMessage' } },
    ]);
    const issues = await gathering.contract.messages.EchoStart['~standard'].validate(body);
    const lines = issues.issues?.map(({ path = [], message }) => `${path.join('.')}: ${message}`) ?? [];
    expect(lines.join('\n')).toContain(problem);
  });

  it('a second start under the id of one that runs is kept in the error queue, and the first one goes on', async () => {
    const { app, results } = newApp({ answers: (value) => (value === 0 ? 'never' : 'once') });
    app.send('starting', 'Begin', { id: 'a', count: 5 });
    await app.deliverAll();
    app.send('starting', 'Begin', { id: 'a', count: 2 });
    await app.deliverAll();
    expect(app.endpoint('gathering').errorQueue).toMatchObject([
      { type: 'EchoStart', failure: { code: 'ScatterGatherRunning' } },
    ]);
    await app.advance({ minutes: 2 });
    expect(results()).toMatchObject([{ requests: 5, missing: [0] }]);
  });

  it.each([
    ['no request id', () => 'hello'],
    ['a request that was never sent', (id: string) => id.replace(/\d+$/, '7')],
    ['a request of a part', (id: string) => id.replace(/\d+$/, '-1')],
    ['another run', (id: string) => id.replace(/[0-9a-f]{8}-/, '00000000-')],
  ])('a reply to %s is kept in the error queue', async (_what, change) => {
    const { app } = newApp({ answers: () => 'never' });
    app.send('starting', 'Begin', { id: 'a', count: 2 });
    await app.deliverAll();
    const [asked] = app.endpoint('gathering').outgoing.filter(({ type }) => type === 'Ask');
    const requestId = change(String(Object(asked?.body).requestId));
    app.send('gathering', 'Told', { requestId, value: 1 });
    await app.deliverAll();
    const { errorQueue } = app.endpoint('gathering');
    expect(errorQueue).toMatchObject([
      { type: 'Told', body: JSON.stringify({ requestId, value: 1 }), failure: { code: 'ReplyNotAwaited' } },
    ]);
  });

  it('an unfit definition is refused', () => {
    const define = (changed: object) => () => scatterGather({ ...settings, ...changed });
    for (const width of [1, 1001, 2.5, '8'])
      expect(define({ width })).toThrow(/Echo': width: .*from 2 to 1000/);
    for (const width of [2, 1000]) expect(define({ width })).not.toThrow();
    expect(define({ name: 'a#b' })).toThrow(/cannot be part of a key/);
    expect(define({ endpoint: '' })).toThrow(/endpoint: .*cannot be part of a key/);
    expect(define({ asks: {} })).toThrow(/is no contract/);
    expect(define({ request: 'Told' })).toThrow(/none of the messages of contract 'echo'. Use one of Ask/);
    expect(define({ reply: 'Ask' })).toThrow(/none of the replies of contract 'echo'. Use one of Told/);
    const report = z.object({ requestId: z.string() });
    const asks = defineContract('echo', echo.messages, { replies: { EchoReport: report } });
    expect(define({ asks, reply: 'EchoReport' })).toThrow(/'EchoReport' is a message of the scatter-gather/);
    for (const timeout of [undefined, {}, { minutes: 0 }, { weeks: 1 }])
      expect(define({ timeout })).toThrow(/Echo': timeout: /);
    expect(define({ grace: { seconds: -1 } })).toThrow(/Echo': grace: /);
    expect(define({ timeout: { days: 366 } })).toThrow(/Echo': timeout: .*up to a year/);
    // Of 10,000 requests, two levels are over those of 100.
    expect(define({ width: 100, timeout: { days: 364 }, grace: { days: 1 } })).not.toThrow();
    expect(define({ width: 100, timeout: { days: 364, seconds: 1 }, grace: { days: 1 } })).toThrow(
      /Echo': timeout: with a grace for each of 1 levels it is over a year/,
    );
    expect(define({ name: Symbol('x') })).toThrow(/scatterGather: name: /);
    expect(define({ gather: { initial: () => 0 } })).toThrow(
      /Echo': gather: it lacks add, merge. Give one with initial, add, merge/,
    );
    const withoutMerge = { initial: () => 0, add: () => 0, merge: undefined };
    expect(define({ gather: withoutMerge })).toThrow(/Echo': gather: it lacks merge/);
    expect(define({ widht: 3 })).toThrow(/did you mean 'width'/);
    expect(define({ coalesce: 'no' })).toThrow(/not true or false/);
  });

  it('a mapper of the function, which would get its states, is refused', () => {
    const mapper: StateMapper = { toAttributes: () => ({}), fromAttributes: () => ({}) };
    expect(() => createHandler(gathering.saga, { mapper })).toThrow(
      /mapper: the 'Echo' saga has a state of its own/,
    );
  });

  it('a reply type of two scatter-gathers in one function is refused', () => {
    const other = scatterGather({ ...settings, name: 'Other' });
    expect(() => createHandler([gathering.saga, other.saga])).toThrow(/Told/);
  });
});

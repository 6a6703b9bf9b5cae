import { beforeEach, describe, expect, it } from '@jest/globals';
import {
  type PendingRequest,
  RequestBatcher,
  type RequestBatcherOptions,
} from '../../../lib/kernel/calls/request-batcher.ts';
import { errorOf } from '../../support/error-of.ts';

type Run = RequestBatcherOptions<string, string>['run'];

let groups: string[][];
let gathers: { hasLeft: boolean; readonly end: () => void; readonly fail: () => void }[];

beforeEach(() => {
  groups = [];
  gathers = [];
});

const answerAll = async (group: readonly PendingRequest<string, string>[]) => {
  for (const asked of group) asked.resolve(`${asked.request}!`);
};

/** Groups of up to three requests, no two of them alike; each waits until its gather ends. */
function requestBatcher(run: Run = answerAll, options: Partial<RequestBatcherOptions<string, string>> = {}) {
  return new RequestBatcher<string, string>({
    waitFor: async (left) => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const gather = { hasLeft: false, end: resolve, fail: () => reject(new Error('no clock')) };
      gathers.push(gather);
      void left.then(() => {
        gather.hasLeft = true;
      });
      await promise;
    },
    fits: (group, request) => group.length < 3 && !group.includes(request),
    isFull: (group) => group.length === 3,
    run: async (group) => {
      groups.push(group.map(({ request }) => request));
      await run(group);
    },
    failsAll: (error) => (error as Error).message === 'throttled',
    ...options,
  });
}

const turn = async () => await new Promise(setImmediate);

describe('requests', () => {
  it('that are made until the gather ends go together, in their order, and each gets its answer', async () => {
    const subject = requestBatcher();
    const answers = [subject.add('a'), subject.add('b')];
    await turn();
    expect(groups).toEqual([]);
    gathers[0]?.end();
    expect(await Promise.all(answers)).toEqual(['a!', 'b!']);
    expect(groups).toEqual([['a', 'b']]);
  });

  it('that are made afterwards gather anew', async () => {
    const subject = requestBatcher();
    const first = subject.add('a');
    gathers[0]?.end();
    await first;
    const second = subject.add('b');
    await turn();
    expect(groups).toEqual([['a']]);
    gathers[1]?.end();
    expect(await second).toBe('b!');
    expect(groups).toEqual([['a'], ['b']]);
  });

  it.each([
    [['a', 'b'], []],
    [['a', 'b', 'c'], [['a', 'b', 'c']]],
    [['a', 'b', 'c', 'd'], [['a', 'b', 'c']]],
  ])('%j do not wait when they fill a group: %j', async (requests, gone) => {
    const subject = requestBatcher();
    const answers = requests.map((request) => subject.add(request));
    await turn();
    expect(groups).toEqual(gone);
    for (const gather of gathers) gather.end();
    expect(await Promise.all(answers)).toEqual(requests.map((request) => `${request}!`));
    expect(groups.flat()).toEqual(requests);
  });

  it('that fill a group end its wait, so that nothing is left to wait for', async () => {
    const subject = requestBatcher();
    const answers = ['a', 'b'].map((request) => subject.add(request));
    await turn();
    expect(gathers[0]?.hasLeft).toBe(false);
    answers.push(subject.add('c'));
    await Promise.all(answers);
    expect(gathers[0]?.hasLeft).toBe(true);
    gathers[0]?.end();
    await turn();
    expect(groups).toHaveLength(1);
  });

  it('go to the first group that they fit in', async () => {
    const subject = requestBatcher();
    const answers = ['a', 'a', 'b', 'b'].map((request) => subject.add(request));
    for (const gather of gathers) gather.end();
    await Promise.all(answers);
    expect(groups).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });

  it('go without waiting when the gather fails', async () => {
    const subject = requestBatcher();
    const answer = subject.add('a');
    gathers[0]?.fail();
    expect(await answer).toBe('a!');
  });

  it('go without waiting when the gather does not even begin', async () => {
    const subject = requestBatcher(answerAll, {
      waitFor: () => {
        throw new Error('no clock');
      },
    });
    expect(await Promise.all(['a', 'b'].map((request) => subject.add(request)))).toEqual(['a!', 'b!']);
    expect(groups).toEqual([['a'], ['b']]);
  });

  it('have their answers in the order in which these are given', async () => {
    const subject = requestBatcher(async (group) => {
      for (const asked of group.toReversed()) asked.resolve(asked.request);
    });
    const answered: string[] = [];
    const answers = ['a', 'b', 'c'].map(async (request) => answered.push(await subject.add(request)));
    await Promise.all(answers);
    expect(answered).toEqual(['c', 'b', 'a']);
  });

  it('are answered as soon as each can be', async () => {
    const { promise: late, resolve: release } = Promise.withResolvers<void>();
    const subject = requestBatcher(async ([first, second]) => {
      first?.resolve('soon');
      await late;
      second?.resolve('late');
    });
    const answers = [subject.add('a'), subject.add('b')] as const;
    gathers[0]?.end();
    expect(await answers[0]).toBe('soon');
    release();
    expect(await answers[1]).toBe('late');
  });
});

describe('a group that fails', () => {
  const outcomes = async (answers: Promise<string>[]) =>
    (await Promise.allSettled(answers)).map((result) =>
      result.status === 'fulfilled' ? result.value : (result.reason as Error).message,
    );

  it('is run again one by one, so that only the one at fault fails', async () => {
    const subject = requestBatcher(async (group) => {
      if (group.some(({ request }) => request === 'bad')) throw new Error('refused');
      await answerAll(group);
    });
    const answers = ['a', 'bad', 'c'].map((request) => subject.add(request));
    expect(await outcomes(answers)).toEqual(['a!', 'refused', 'c!']);
    expect(groups).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
  });

  it('is not run again for those that have an answer', async () => {
    const subject = requestBatcher(async (group) => {
      group[0]?.resolve('first');
      throw new Error('lost');
    });
    const answers = ['a', 'b'].map((request) => subject.add(request));
    gathers[0]?.end();
    expect(await outcomes(answers)).toEqual(['first', 'first']);
    expect(groups).toEqual([['a', 'b'], ['b']]);
  });

  it('is not run again when the failure is that of all', async () => {
    const subject = requestBatcher(() => Promise.reject(new Error('throttled')));
    const answers = ['a', 'b'].map((request) => subject.add(request));
    gathers[0]?.end();
    expect(await outcomes(answers)).toEqual(['throttled', 'throttled']);
    expect(groups).toEqual([['a', 'b']]);
  });

  it('of one request is run once', async () => {
    const subject = requestBatcher(() => Promise.reject(new Error('refused')));
    const answer = subject.add('a');
    gathers[0]?.end();
    expect(((await errorOf(answer)) as Error).message).toBe('refused');
    expect(groups).toEqual([['a']]);
  });

  it('fails a request that it left without an answer, rather than keep it waiting', async () => {
    const subject = requestBatcher(async ([first]) => first?.resolve('first'));
    const answers = ['a', 'b'].map((request) => subject.add(request));
    gathers[0]?.end();
    expect(await outcomes(answers)).toEqual(['first', 'A request of a batch got no answer']);
  });
});

describe('requests that are left without an answer', () => {
  const answerFirst: Run = async ([first]) => first?.resolve(`${first.request}!`);

  it('are run again, round by round, until each has its answer', async () => {
    const rounds: unknown[] = [];
    const subject = requestBatcher(answerFirst, {
      untilNextRound: async (round, left) => void rounds.push([round, ...left.map(({ request }) => request)]),
    });
    const answers = ['a', 'b', 'c'].map((request) => subject.add(request));
    expect(await Promise.all(answers)).toEqual(['a!', 'b!', 'c!']);
    expect(groups).toEqual([['a', 'b', 'c'], ['b', 'c'], ['c']]);
    expect(rounds).toEqual([
      [1, 'b', 'c'],
      [2, 'c'],
    ]);
  });

  it('fail by what ends the rounds', async () => {
    const subject = requestBatcher(answerFirst, {
      untilNextRound: () => Promise.reject(new Error('throttled')),
    });
    const answers = ['a', 'b', 'c'].map((request) => subject.add(request));
    expect((await Promise.allSettled(answers)).map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
    ]);
    expect(groups).toEqual([['a', 'b', 'c']]);
  });
});

describe('a request batcher without a limit', () => {
  it('keeps every request until the gather ends', async () => {
    const sizes: number[] = [];
    const subject = new RequestBatcher<number, number>({
      waitFor: turn,
      fits: () => true,
      run: async (group) => {
        sizes.push(group.length);
        for (const asked of group) asked.resolve(asked.request * 2);
      },
      failsAll: () => true,
    });
    const numbers = Array.from({ length: 1000 }, (_, index) => index);
    expect(await Promise.all(numbers.map((number) => subject.add(number)))).toEqual(
      numbers.map((number) => number * 2),
    );
    expect(sizes).toEqual([1000]);
  });
});

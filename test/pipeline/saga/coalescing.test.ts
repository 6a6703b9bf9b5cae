import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { UnrecoverableError } from 'sagabox';
import { sagaKey } from '../../../lib/dynamodb/keys.ts';
import { SagaboxError } from '../../../lib/kernel/errors/errors.ts';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { CountedBatch, inGroup, messageOf, messages } from './counted-batch.ts';

let batch: CountedBatch;
beforeEach(() => {
  batch = new CountedBatch();
});

const conflict = () =>
  new SagaboxError('SagaConcurrency', { sagaName: 'Counter', sagaId: 's', operation: 'create' });
const ids = ['a', 'b', 'c', 'd', 'e'];
const crowd = ids.map((id) => `Started ${id}`);
const five = messages(...crowd);
const eventual = { mode: 'optimistic', consistentRead: false } as const;
const noAnswer = () => new SagaboxError('TableCallFailed', { operation: 'x', tableNames: [], detail: '' });
const pessimistic = { locking: { mode: 'pessimistic', leaseDuration: { seconds: 10 } } } as const;
const send = (type: string) => (context: Parameters<CountedBatch['handlers'][string]>[0]) =>
  context.send('billing', type, {});

describe('messages of one saga in a batch', () => {
  it('are read, committed and marked together, each handled on what the one before left', async () => {
    for (const id of ['a', 'b', 'c']) batch.handlers[id] = send(`by-${id}`);
    expect(await batch.run(messages('Started a', 'Counted b', 'Started c'))).toEqual([]);
    expect(batch.seen).toEqual(['a: ', 'b: a', 'c: a b']);
    expect(batch.calls).toEqual([
      'find b',
      'find c',
      'find a',
      'load s',
      'commit a b c',
      'send by-a',
      'send by-b',
      'send by-c',
      'mark a',
      'mark b',
      'mark c',
    ]);
    expect(batch.stored).toMatchObject({ state: { applied: ['a', 'b', 'c'] }, revision: { version: 3 } });
    expect(batch.outcomes).toEqual(['a handled', 'b handled', 'c handled']);
  });

  it('take the lease once in pessimistic mode, and give it back with their write', async () => {
    expect(await batch.run(messages('Started a', 'Counted b'), pessimistic)).toEqual([]);
    expect(batch.callsOf('acquire', 'commit', 'release')).toEqual(['acquire s', 'commit a b']);
    expect(batch.memory.storage.leases.size).toBe(0);
  });

  it.each([
    ['five', five, {}, ['acquire s', 'commit a b c d e']],
    ['five, with reads that may be old', five, { locking: eventual }, ['acquire s', 'commit a b c d e']],
    ['four', five.slice(0, 4), {}, ['load s', 'commit a b c d']],
    [
      'five of a FIFO group, whose queue keeps others away',
      inGroup(...crowd),
      {},
      ['load s', 'commit a b c d e'],
    ],
    [
      'five that go one by one',
      five,
      { coalesce: false },
      five.flatMap((_, at) => ['load s', `commit ${ids[at]}`]),
    ],
  ])('take a lease in optimistic mode if they are a crowd: %s', async (_what, records, options, calls) => {
    expect(await batch.run(records, options)).toEqual([]);
    expect(batch.callsOf('acquire', 'load', 'commit', 'release')).toEqual(calls);
    expect(batch.memory.storage.leases.size).toBe(0);
  });

  it('take no lease as a crowd whose members are of several sagas, or on ports without locks', async () => {
    await batch.run(messages(...crowd.slice(0, 4), 'Started e t'));
    expect(batch.callsOf('acquire')).toEqual([]);
    const { locks: _locks, ...ports } = batch.ports;
    await batch.run(messages(...crowd.map((text) => `${text}2`)), { ports });
    expect(batch.callsOf('acquire')).toEqual([]);
    expect(batch.stored?.state).toEqual({ applied: ['a', 'b', 'c', 'd', 'a2', 'b2', 'c2', 'd2', 'e2'] });
  });

  it('wait as a crowd for the lease of another one, and are handled on what it left', async () => {
    const other = { owner: 'another', until: new Date(batch.ports.clock.now().getTime() + 20) };
    batch.memory.storage.leases.set(sagaKey({ name: 'Counter', id: 's' }).partition, other);
    const running = batch.run(five);
    for (let turn = 0; turn < 5; turn += 1) await batch.pass(0);
    expect(batch.callsOf('acquire')).toEqual(['acquire s']);
    batch.memory.storage.leases.clear();
    await batch.run(messages('Started z'));
    batch.wake();
    expect(await running).toEqual([]);
    expect(batch.stored?.state).toEqual({ applied: ['z', 'a', 'b', 'c', 'd', 'e'] });
    expect(batch.callsOf('load', 'commit')).toEqual(['load s', 'commit z', 'commit a b c d e']);
  });

  it('go one by one where the saga says so, and without an outbox', async () => {
    await batch.run(messages('Started a', 'Counted b'), { coalesce: false });
    await batch.run(messages('Counted c', 'Counted d'), { outbox: false });
    expect(batch.callsOf('commit')).toEqual(['commit a', 'commit b', 'commit ', 'commit ']);
    expect(batch.stored?.state).toEqual({ applied: ['a', 'b', 'c', 'd'] });
  });

  it('tell each its own version in what it sends', async () => {
    for (const id of ['a', 'b', 'c']) batch.handlers[id] = send(`by-${id}`);
    await batch.run(messages('Started a', 'Looked b', 'Counted c'));
    const versions = batch.memory.dispatcher.sent.map(({ headers }) => headers['Sagabox.SagaVersion']);
    expect(versions).toEqual(['1.0', undefined, '2.0']);
    expect(batch.stored?.revision.version).toBe(2);
  });

  it('commit each by itself when none of them writes the saga', async () => {
    await batch.run(messages('Started a'));
    await batch.run(messages('Looked b', 'Looked c'));
    expect(batch.callsOf('commit').toSorted()).toEqual(['commit a', 'commit b', 'commit c']);
    expect(batch.callsOf('load')).toEqual(['load s', 'load s']);
  });

  it.each([
    ['side by side', messages('Looked b', 'Looked c')],
    ['in a FIFO group', inGroup('Looked b', 'Looked c')],
  ])(
    'keep the lease until all are committed when none of them writes the saga: %s',
    async (_how, looking) => {
      await batch.run(messages('Started a'));
      await batch.run(looking, pessimistic);
      const [, ...calls] = batch.callsOf('acquire', 'commit', 'release');
      expect([calls.at(0), ...calls.slice(1, -1).toSorted(), calls.at(-1)]).toEqual([
        'acquire s',
        'commit b',
        'commit c',
        'release s',
      ]);
      expect(batch.memory.storage.leases.size).toBe(0);
    },
  );

  it('that start and end it together check that no other one has started', async () => {
    await batch.run(messages('Started a', 'Ended b'));
    expect(batch.commits[0]?.saga).toMatchObject({ kind: 'check', read: undefined });
    expect(batch.stored).toBeUndefined();
    expect(batch.memory.storage.records.size).toBe(2);
  });

  it('that start and end it together give back the lease', async () => {
    await batch.run(messages('Started a', 'Ended b'), pessimistic);
    expect(batch.callsOf('commit', 'release')).toEqual(['commit a b', 'release s']);
    expect(batch.memory.storage.leases.size).toBe(0);
  });
});

describe('a group ends', () => {
  it('after ten messages', async () => {
    const ids = [...'abcdefghijkl'];
    await batch.run(messages(...ids.map((id) => `Started ${id}`)), { concurrency: 20 });
    expect(batch.callsOf('commit')).toEqual([`commit ${ids.slice(0, 10).join(' ')}`, 'commit k l']);
  });

  it('after the saga has ended: the next message finds none', async () => {
    await batch.run(messages('Started a', 'Ended b', 'Started c', 'Counted d'));
    expect(batch.callsOf('commit')).toEqual(['commit a b', 'commit c d']);
    expect(batch.stored?.state).toEqual({ applied: ['c', 'd'] });
  });

  it('before an id that it has already: that is a duplicate', async () => {
    await batch.run([messageOf('Started a'), messageOf('Started a', { sqsMessageId: 'copy' })]);
    expect(batch.seen).toEqual(['a: ']);
    expect(batch.outcomes).toEqual(['a handled', 'a duplicate']);
  });

  it('before a message that is delivered again', async () => {
    await batch.run([
      messageOf('Started a'),
      messageOf('Counted b', { receiveCount: 2 }),
      messageOf('Counted c'),
    ]);
    expect(batch.callsOf('commit')).toEqual(['commit a', 'commit b', 'commit c']);
  });

  it('before a message that no saga waits for', async () => {
    await batch.run(messages('Started a', 'Ended b', 'Counted c'));
    expect(batch.outcomes).toEqual(['a handled', 'b handled', 'c discarded']);
    expect(batch.callsOf('load')).toEqual(['load s', 'load s']);
  });

  it('before a message whose writes do not fit, which begins the next one', async () => {
    const write =
      (count: number): CountedBatch['handlers'][string] =>
      ({ transaction }, id) => {
        for (let index = 0; index < count; index += 1)
          transaction.add({ Put: { TableName: 't', Item: { PK: { S: `${id} ${index}` } } } });
      };
    Object.assign(batch.handlers, { a: write(48), b: write(49), c: write(48), d: write(1) });
    await batch.run(messages('Started a', 'Counted b', 'Counted c', 'Counted d'));
    expect(batch.callsOf('commit')).toEqual(['commit a b', 'commit c d']);
    expect(batch.outcomes).toEqual(['a handled', 'b handled', 'c handled', 'd handled']);
    expect(batch.stored?.state).toEqual({ applied: ['a', 'b', 'c', 'd'] });
  });

  it.each([
    ['half of its lease', pessimistic, 5_000],
    ['the start margin of the invocation', {}, 28_000],
  ])('at %s: a handler that is slower is handled again, by itself', async (_what, options, afterMs) => {
    const slow = Promise.withResolvers<void>();
    batch.handlers.b = async () => {
      if (batch.seen.length === 2) await slow.promise;
    };
    const running = batch.run(messages('Started a', 'Counted b'), options);
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    expect(batch.seen).toEqual(['a: ', 'b: a']);
    await batch.pass(afterMs - 1);
    expect(batch.callsOf('commit')).toEqual([]);
    await batch.pass(1);
    expect(batch.callsOf('commit')).toEqual(['commit a']);
    slow.resolve();
    const returned = await running;
    expect(batch.outcomes.slice(0, 1)).toEqual(['a handled']);
    if (afterMs === 5_000) {
      expect(batch.seen.slice(2)).toEqual(['b: a']);
      expect([returned, batch.outcomes.slice(1)]).toEqual([[], ['b handled']]);
    } else expect([returned, batch.seen.length]).toEqual([['b'], 2]);
  });
});

describe('a handler that fails', () => {
  it('fails alone, and what it did to its copy is lost', async () => {
    batch.handlers.b = ({ saga }) => {
      if (batch.seen.length > 3) return;
      saga.state.applied.push('leaked');
      throw new SagaboxError('ClaimCheckFailed', { operation: 'x', detail: 'x' });
    };
    expect(await batch.run(messages('Started a', 'Counted b', 'Counted c'))).toEqual([]);
    expect(batch.seen).toEqual(['a: ', 'b: a', 'c: a', 'b: a c']);
    expect(batch.callsOf('commit')).toEqual(['commit a c', 'commit b']);
    expect(batch.outcomes.toSorted()).toEqual(['a handled', 'b failed', 'b handled', 'c handled']);
  });

  it('counts only once what it failed on is committed', async () => {
    batch.handlers.b = () => {
      if (batch.seen.length === 2) throw new UnrecoverableError('a is there');
    };
    batch.failing.set('commit a c', conflict());
    const policy = (failure: { message: { id: string } | undefined }) => {
      batch.calls.push(`policy ${failure.message?.id}`);
      return { action: 'retryNow' } as const;
    };
    expect(
      await batch.run(messages('Started a', 'Counted b', 'Counted c'), { recoverability: { policy } }),
    ).toEqual([]);
    expect(batch.callsOf('policy').toSorted()).toEqual(['policy a', 'policy c']);
    expect(batch.outcomes.toSorted()).toEqual([
      'a failed',
      'a handled',
      'b handled',
      'c failed',
      'c handled',
    ]);
  });

  it('each time it is handled counts once', async () => {
    batch.handlers.b = () => {
      throw new UnrecoverableError('for good');
    };
    batch.failing.set('commit a c', new SagaboxError('RequestRejected', { detail: '' }));
    expect(await batch.run(messages('Started a', 'Counted b', 'Counted c'))).toEqual(['b']);
    expect(batch.seen.filter((line) => line.startsWith('b'))).toHaveLength(2);
    expect(batch.outcomes.toSorted()).toEqual(['a handled', 'b failed', 'c handled']);
  });

  it('so late that those behind it are not started has no outcome told of them', async () => {
    const slow = Promise.withResolvers<void>();
    batch.handlers.a = () => slow.promise;
    const running = batch.run(messages('Started a', 'Counted b', 'Counted c'));
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    await batch.pass(29_100);
    slow.resolve();
    expect((await running).toSorted()).toEqual(['b', 'c']);
    expect([batch.seen, batch.outcomes]).toEqual([['a: '], ['a handled']]);
  });

  it('ends the group in a FIFO group, and those behind it wait for its outcome', async () => {
    batch.handlers.b = () => {
      if (batch.seen.length === 2)
        throw new SagaboxError('ClaimCheckFailed', { operation: 'x', detail: 'x' });
    };
    expect(await batch.run(inGroup('Started a', 'Counted b', 'Counted c'))).toEqual([]);
    expect(batch.seen).toEqual(['a: ', 'b: a', 'b: a', 'c: a b']);
    expect(batch.callsOf('commit')).toEqual(['commit a', 'commit b c']);
  });

  it('for good has those behind it in a FIFO group returned, unhandled', async () => {
    batch.handlers.b = () => {
      throw new Error('a bug');
    };
    expect(await batch.run(inGroup('Started a', 'Counted b', 'Counted c', 'Counted d'))).toEqual([
      'b',
      'c',
      'd',
    ]);
    expect(batch.seen).toEqual(['a: ', 'b: a']);
    expect(batch.outcomes).toEqual(['a handled', 'b failed']);
  });
});

describe('a group whose commit is refused', () => {
  it('by conflicts again and again comes back as a whole, after one delay for all that grows', async () => {
    let refusals = 0;
    const { commit } = batch.ports.committer;
    batch.ports.committer.commit = async (...parameters) => {
      refusals += 1;
      if (refusals <= 4) throw conflict();
      await commit(...parameters);
    };
    expect(await batch.run(messages('Started a', 'Counted b'))).toEqual([]);
    expect(batch.sleepsMs).toHaveLength(8);
    expect(new Set(batch.sleepsMs).size).toBe(4);
    // The first one is of at most 50 ms.
    expect(Math.max(...batch.sleepsMs)).toBeGreaterThan(100);
  });

  it('by a conflict is handled again as a whole, and reads nothing but its saga', async () => {
    batch.failing.set('commit a b', conflict());
    expect(await batch.run(messages('Started a', 'Counted b'))).toEqual([]);
    expect(batch.calls).toEqual(['find b', 'find a', 'load s', 'commit a b', 'load s', 'commit a b']);
    expect(new Set(batch.sleepsMs).size).toBe(1);
    expect(batch.outcomes.toSorted()).toEqual(['a failed', 'a handled', 'b failed', 'b handled']);
  });

  it.each([
    new SagaboxError('TransactionConditionFailed', { index: 0, tableName: 't' }),
    new SagaboxError('TransactionLimit', { limit: 'bytes', actual: 2, maximum: 1, remedy: '' }),
    new SagaboxError('RequestRejected', { detail: '' }),
    new SagaboxError('TableNotFound', { tableNames: ['of-a-user'] }),
    new SagaboxError('TableAccessRefused', { operation: '', tableNames: ['of-a-user'], detail: '' }),
    Object.assign(new TypeError('of what a message writes'), { code: 'ERR_INVALID_ARG_TYPE' }),
  ])('otherwise is handled one by one, at once: $code', async (error) => {
    batch.failing.set('commit a b c', error);
    batch.failing.set('commit b', new UnrecoverableError('it was b'));
    const told: unknown[] = [];
    const policy = (failure: { message: { id: string } | undefined; attempts: number }) => {
      told.push([failure.message?.id, failure.attempts]);
      return { action: 'retryIn', delay: { seconds: 1 } } as const;
    };
    const returned = await batch.run(messages('Started a', 'Counted b', 'Counted c'), {
      recoverability: { policy },
    });
    expect([returned, told, batch.sleepsMs]).toEqual([['b'], [['b', 1]], []]);
    expect(batch.callsOf('commit')).toEqual(['commit a b c', 'commit a', 'commit b', 'commit c']);
    expect(batch.outcomes).toEqual(['a handled', 'b failed', 'c handled']);
    expect(batch.stored?.state).toEqual({ applied: ['a', 'c'] });
  });

  it('by a duplicate sends that one back to its record', async () => {
    const { outbox } = batch.memory.ports;
    await batch.run(messages('Started b z'));
    const { find } = batch.ports.outbox;
    let isOld = true;
    batch.ports.outbox.find = (id, meter) => (isOld ? Promise.resolve(undefined) : find(id, meter));
    batch.handlers.a = () => {
      isOld = false;
    };
    await batch.run(messages('Started a', 'Started b'));
    expect(await outbox.find('a')).toBeDefined();
    expect(batch.outcomes).toEqual(['b handled', 'a handled', 'b duplicate']);
    expect(batch.stored?.state).toEqual({ applied: ['a'] });
  });

  it.each([
    ['optimistic', {}],
    ['pessimistic', pessimistic],
  ])('since another delivery has ended the saga is a duplicate: %s', async (_mode, options) => {
    await batch.run(messages('Started a'));
    const { commit } = batch.ports.committer;
    batch.ports.committer.commit = async (...parameters) => {
      batch.ports.committer.commit = commit;
      await commit(...parameters);
      throw new SagaboxError('TransactionConflict', { item: 'x' });
    };
    const notFound: string[] = [];
    const onSagaNotFound = ({ id }: { id: string }) => void notFound.push(id);
    expect(await batch.run(messages('Ended b'), { ...options, onSagaNotFound })).toEqual([]);
    expect([notFound, batch.outcomes]).toEqual([[], ['a handled', 'b failed', 'b duplicate']]);
    expect(batch.memory.storage.leases.size).toBe(0);
  });

  it('without an answer goes back to its dedup checks', async () => {
    batch.failing.set('commit a b', noAnswer());
    expect(await batch.run(messages('Started a', 'Counted b'))).toEqual([]);
    expect(batch.callsOf('find')).toEqual(['find b', 'find a', 'find b', 'find a']);
  });

  it('by a conflict reads nothing but its saga again in a FIFO group too', async () => {
    batch.failing.set('commit a b', conflict());
    expect(await batch.run(inGroup('Started a', 'Counted b'))).toEqual([]);
    expect(batch.calls).toEqual(['find a', 'load s', 'find b', 'commit a b', 'load s', 'commit a b']);
  });

  it('has the first one of a FIFO group decide, and those behind it wait', async () => {
    batch.failing.set('commit a b', conflict());
    const policy = () => ({ action: 'retryIn', delay: { seconds: 1 } }) as const;
    const returned = await batch.run(inGroup('Started a', 'Counted b'), { recoverability: { policy } });
    expect(returned).toEqual(['a', 'b']);
    expect(batch.seen).toEqual(['a: ', 'b: a']);
    expect(batch.outcomes).toEqual(['a failed']);
  });
});

describe('a FIFO group', () => {
  it('shares a commit where its messages belong to one saga, in order', async () => {
    expect(await batch.run(inGroup('Started a', 'Counted b', 'Started c t', 'Counted d'))).toEqual([]);
    expect(batch.callsOf('commit')).toEqual(['commit a b', 'commit c', 'commit d']);
    expect(batch.callsOf('find', 'load').slice(0, 3)).toEqual(['find a', 'load s', 'find b']);
  });

  it('without a write of the saga is committed one after another, up to the first that fails', async () => {
    await batch.run(messages('Started a'));
    batch.failing.set('commit c', new Error('no answer'));
    expect(await batch.run(inGroup('Looked b', 'Looked c', 'Looked d'))).toEqual(['c', 'd']);
    expect(batch.callsOf('commit')).toEqual(['commit a', 'commit b', 'commit c']);
  });

  it('has a failure decided when those ahead of it have ended: it goes back with them', async () => {
    batch.handlers.a = ({ send: to }) => to('billing', 'by-a', {});
    batch.handlers.b = () => {
      throw new UnrecoverableError('for good');
    };
    batch.failing.set('send by-a', new Error('no answer'));
    const told: string[] = [];
    const policy = (failure: { message: { id: string } | undefined }) => {
      told.push(failure.message?.id ?? '');
      return { action: 'retryIn', delay: { seconds: 1 } } as const;
    };
    const returned = await batch.run(inGroup('Started a', 'Counted b'), { recoverability: { policy } });
    expect([returned, told, batch.outcomes]).toEqual([['a', 'b'], ['a'], ['a failed']]);
  });

  it('starts no message of a type that its saga does not take before those ahead have ended', async () => {
    batch.handlers.a = async () => {
      await new Promise(setImmediate);
    };
    expect(await batch.run(inGroup('Started a', 'Unknown b', 'Counted c'))).toEqual(['b', 'c']);
    expect(batch.callsOf('find', 'commit')).toEqual(['find a', 'commit a', 'find b']);
  });

  it('is returned from the message on whose messages are not sent', async () => {
    for (const id of ['a', 'b', 'c']) batch.handlers[id] = ({ send: to }) => to('ordered', `by-${id}`, {});
    batch.failing.set('send by-b', new Error('no answer'));
    expect(await batch.run(inGroup('Started a', 'Counted b', 'Counted c'))).toEqual(['b', 'c']);
    expect(batch.callsOf('send')).toEqual(['send by-a', 'send by-b']);
  });

  it('has none handled behind a message whose delivery breaks', async () => {
    batch.handlers.a = () => {
      throw new Error('a bug');
    };
    const broken = () => {
      throw new Error('no disk');
    };
    // Neither by the logger of the options nor by the default one.
    const logger = { ...silentLogger, error: broken };
    const written = jest.spyOn(console, 'error').mockImplementation(broken);
    expect(await batch.run(inGroup('Started a', 'Started b'), { logger })).toEqual(['a', 'b']);
    written.mockRestore();
    expect(batch.callsOf('commit')).toEqual([]);
  });
});

describe('what messages of one group send', () => {
  it('to a FIFO queue goes out message by message', async () => {
    for (const id of ['a', 'b', 'c']) batch.handlers[id] = ({ send: to }) => to('ordered', `by-${id}`, {});
    batch.failing.set(
      'send by-b',
      new SagaboxError('DispatchFailed', { destination: 'ordered', failures: [] }),
    );
    expect(await batch.run(messages('Started a', 'Counted b', 'Counted c'))).toEqual([]);
    expect(batch.callsOf('send')).toEqual(['send by-a', 'send by-b', 'send by-b', 'send by-c']);
  });

  it('waits for one that is committed later, in another group', async () => {
    await batch.run(messages('Started a'));
    for (const id of ['b', 'c']) batch.handlers[id] = ({ send: to }) => to('ordered', `by-${id}`, {});
    batch.failing.set('commit b', noAnswer());
    expect(await batch.run(messages('Looked b', 'Looked c'))).toEqual([]);
    expect(batch.callsOf('send')).toEqual(['send by-b', 'send by-c']);
  });

  it('does not wait for one that is retried behind them', async () => {
    const other = Promise.withResolvers<void>();
    batch.handlers.a = ({ send: to }) => {
      if (batch.seen.length === 1)
        throw new SagaboxError('ClaimCheckFailed', { operation: 'x', detail: 'x' });
      to('ordered', 'by-a', {});
    };
    batch.handlers.b = async ({ send: to }) => {
      await other.promise;
      to('ordered', 'by-b', {});
    };
    batch.failing.set(
      'send by-b',
      new SagaboxError('DispatchFailed', { destination: 'ordered', failures: [] }),
    );
    const running = batch.run(messages('Started a', 'Started b'));
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
    other.resolve();
    expect(await running).toEqual([]);
    expect(batch.callsOf('commit', 'send')).toEqual(['commit b a', 'send by-b', 'send by-b', 'send by-a']);
  });

  it('goes out in order too when the answer to their commit got lost', async () => {
    for (const id of ['a', 'b']) batch.handlers[id] = ({ send: to }) => to('ordered', `by-${id}`, {});
    const { commit } = batch.ports.committer;
    batch.ports.committer.commit = async (...parameters) => {
      await commit(...parameters);
      throw noAnswer();
    };
    batch.failing.set(
      'send by-a',
      new SagaboxError('DispatchFailed', { destination: 'ordered', failures: [] }),
    );
    expect(await batch.run(messages('Started a', 'Started b'))).toEqual([]);
    expect(batch.callsOf('commit', 'send')).toEqual(['commit a b', 'send by-a', 'send by-a', 'send by-b']);
  });
});

describe('a duplicate', () => {
  it('is found by a read that it shares with others of its saga, and opens no saga', async () => {
    const twice = () => batch.run(messages('Started a', 'Counted b', 'Counted c'));
    await twice();
    const before = batch.callsOf('find', 'load').length;
    await twice();
    expect(batch.callsOf('find', 'load').slice(before)).toEqual(['find b', 'find c', 'find a', 'load s']);
    expect(batch.outcomes.slice(3)).toEqual(['a duplicate', 'b duplicate', 'c duplicate']);
  });

  it('is ended by itself, and does not hold up those behind it', async () => {
    await batch.run(messages('Started b'));
    await batch.run(messages('Counted a', 'Started b', 'Counted c'));
    expect(batch.callsOf('commit')).toEqual(['commit b', 'commit a c']);
    expect(batch.outcomes).toEqual(['b handled', 'b duplicate', 'a handled', 'c handled']);
  });
});

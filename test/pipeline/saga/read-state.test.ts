import { beforeEach, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { sagaKey } from '../../../lib/dynamodb/keys.ts';
import { CountedBatch, messages } from './counted-batch.ts';

const key = sagaKey({ name: 'Counter', id: 's' }).partition;
const createdAt = new Date('2025-01-01T00:00:00Z');
const pessimistic = { locking: { mode: 'pessimistic', leaseDuration: { seconds: 10 } } } as const;

let batch: CountedBatch;
beforeEach(() => {
  batch = new CountedBatch();
});

/** A saga that another version of the code left. */
function store(state: object, stateVersion?: number): void {
  batch.memory.storage.sagas.set(key, {
    state,
    ...(stateVersion !== undefined && { stateVersion }),
    revision: { version: 5, commitId: 'old' },
    createdAt,
    updatedAt: createdAt,
    timeouts: [],
  });
}

const fromCount = {
  1: (old: unknown) => ({ applied: Array.from({ length: (old as { count: number }).count }, () => 'old') }),
};

describe('a saga in an old form', () => {
  it('is migrated for its handler, and stored in the new form with what the handler changes', async () => {
    batch.stateRules = { migrate: fromCount };
    store({ count: 2 });
    expect(await batch.run(messages('Counted a'))).toEqual([]);
    expect(batch.seen).toEqual(['a: old old']);
    expect(batch.stored).toMatchObject({
      state: { applied: ['old', 'old', 'a'] },
      stateVersion: 2,
      revision: { version: 6 },
      createdAt,
    });
  });

  it('is not written by a message that only looks at it, however often', async () => {
    batch.stateRules = { migrate: fromCount };
    store({ count: 1 });
    const before = batch.stored;
    expect(await batch.run(messages('Looked a'))).toEqual([]);
    expect(await batch.run(messages('Looked b'))).toEqual([]);
    expect(batch.seen).toEqual(['a: old', 'b: old']);
    expect(batch.stored).toBe(before);
  });

  it.each([{}, pessimistic])('is migrated once for the messages of a group (%p)', async (options) => {
    batch.stateRules = { migrate: fromCount };
    store({ count: 1 });
    expect(await batch.run(messages('Looked a', 'Counted b', 'Looked c', 'Counted d'), options)).toEqual([]);
    expect(batch.seen).toEqual(['a: old', 'b: old', 'c: old b', 'd: old b']);
    expect(batch.callsOf('commit')).toEqual(['commit a b c d']);
    expect(batch.stored).toMatchObject({ state: { applied: ['old', 'b', 'd'] }, stateVersion: 2 });
    expect(batch.stored?.revision.version).toBe(7);
  });

  it('is ended without being written', async () => {
    batch.stateRules = { migrate: fromCount };
    store({ count: 1 });
    expect(await batch.run(messages('Ended a'))).toEqual([]);
    expect(batch.stored).toBeUndefined();
  });

  it('gives its message back, and its lease, when its migration fails', async () => {
    const cause = new Error('no count');
    batch.stateRules = {
      migrate: {
        1: () => {
          throw cause;
        },
      },
    };
    store({ count: 1 });
    expect(await batch.run(messages('Counted a'), pessimistic)).toEqual(['a']);
    expect(batch.seen).toEqual([]);
    expect(batch.reports.at(-1)?.error).toBe(cause);
    expect(batch.memory.storage.leases.size).toBe(0);
    expect(batch.callsOf('release')).toEqual(['release s']);
  });
});

describe('a migration that never ends', () => {
  it('gives its message and its lease back when the invocation ends', async () => {
    batch.stateRules = { migrate: { 1: () => new Promise<object>(() => {}) } };
    store({ count: 1 });
    const running = batch.run(messages('Counted a'), pessimistic);
    while (batch.callsOf('acquire').length === 0) await batch.pass(0);
    await batch.pass(0);
    await batch.pass(30_000);
    expect(await running).toEqual(['a']);
    expect(batch.seen).toEqual([]);
    expect(batch.callsOf('release')).toEqual(['release s']);
  });
});

describe('a new saga', () => {
  it('has the version of the code', async () => {
    batch.stateRules = { migrate: fromCount };
    await batch.run(messages('Started a'));
    expect(batch.stored).toMatchObject({ state: { applied: ['a'] }, stateVersion: 2 });
  });
});

describe('a saga in a newer form than the code knows', () => {
  it.each([{}, { migrate: fromCount }])('is left as it is, with its message (%p)', async (rules) => {
    batch.stateRules = rules;
    store({ applied: ['new'] }, 3);
    const before = batch.stored;
    expect(await batch.run(messages('Counted a', 'Ended b'), pessimistic)).toEqual(['a', 'b']);
    expect(batch.seen).toEqual([]);
    expect(batch.reports.map(({ error }) => (error as { code?: string }).code)).toEqual([
      'UnknownStateVersion',
      'UnknownStateVersion',
    ]);
    expect(batch.stored).toBe(before);
    expect(batch.memory.storage.leases.size).toBe(0);
  });
});

describe('a state with a schema', () => {
  const stateSchema = z.object({ applied: z.array(z.string()).max(2).default([]) });
  beforeEach(() => {
    batch.stateRules = { stateSchema };
  });

  it('comes as the schema returns it, and is not written for that', async () => {
    store({});
    const before = batch.stored;
    await batch.run(messages('Looked a'));
    expect(batch.seen).toEqual(['a: ']);
    expect(batch.stored).toBe(before);
    await batch.run(messages('Counted b'));
    expect(batch.stored?.state).toEqual({ applied: ['b'] });
  });

  it('that cannot be read gives its message back, without another attempt in the invocation', async () => {
    store({ applied: 'none' });
    const before = batch.stored;
    expect(await batch.run(messages('Counted a'))).toEqual(['a']);
    expect(batch.callsOf('load')).toEqual(['load s']);
    expect(batch.reports.at(-1)?.error).toMatchObject({
      code: 'InvalidSagaState',
      facts: { sagaName: 'Counter', sagaId: 's', operation: 'read' },
    });
    expect(batch.stored).toBe(before);
  });

  it.each([
    ['Started a', 'an initial state'],
    ['Counted a', 'a changed state'],
  ])('refuses by %s %s that no later message could read', async (text) => {
    if (text.startsWith('Counted')) store({ applied: ['x'] });
    const before = batch.stored;
    batch.handlers.a = ({ saga }) => void saga.state.applied.push('y', 'z');
    expect(await batch.run(messages(text))).toEqual(['a']);
    expect(batch.reports.at(-1)?.error).toMatchObject({
      code: 'InvalidSagaState',
      facts: { operation: 'write', issues: [expect.stringContaining('applied: ')] },
    });
    expect(batch.callsOf('commit')).toEqual([]);
    expect(batch.stored).toBe(before);
  });

  it('is told apart from an initial state that the handler did not complete', async () => {
    batch.stateRules = { stateSchema: z.object({ applied: z.array(z.string()).min(1), by: z.string() }) };
    batch.handlers.a = ({ saga }) => void Object.assign(saga.state, { applied: ['a'] });
    expect(await batch.run(messages('Started a'))).toEqual(['a']);
    expect(batch.reports.at(-1)?.error).toMatchObject({
      code: 'InvalidSagaState',
      facts: { operation: 'start', issues: [expect.stringContaining('by: ')] },
      message: expect.stringMatching(/^The initial state of .* Correct initialState/),
    });
    batch.handlers.a = ({ saga }) => void Object.assign(saga.state, { applied: ['a'], by: 'ann' });
    expect(await batch.run(messages('Started a'))).toEqual([]);
  });

  it('is validated as it will be read, not as the handler holds it', async () => {
    batch.stateRules = {
      stateSchema: z.object({ applied: z.array(z.string()), note: z.string().optional() }).strict(),
    };
    batch.handlers.a = ({ saga }) => void Object.assign(saga.state, { gone: undefined });
    expect(await batch.run(messages('Started a'))).toEqual([]);
    expect(batch.stored?.state).toEqual({ applied: ['a'] });
  });

  it('fails one message of a group alone', async () => {
    batch.handlers.b = ({ saga }) => void saga.state.applied.push('y', 'z');
    expect(await batch.run(messages('Started a', 'Counted b', 'Counted c'))).toEqual(['b']);
    expect(batch.stored?.state).toEqual({ applied: ['a', 'c'] });
  });
});

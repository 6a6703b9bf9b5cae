import { beforeEach, describe, expect, it } from '@jest/globals';
import { type Locking, SagaboxError } from 'sagabox';
import { dynamoDBClient } from '../support/engines.ts';
import { ClientFaults } from '../support/faults.ts';
import { BasketEndpoint } from './basket-endpoint.ts';
import { modes } from './modes.ts';

/** Holds the first commit of each function back until all have come to it. */
class CommitBarrier {
  readonly #all = Promise.withResolvers<void>();
  #missing: number;

  constructor(functions: number) {
    this.#missing = functions;
  }

  async arrive(): Promise<void> {
    this.#missing -= 1;
    if (this.#missing === 0) this.#all.resolve();
    await this.#all.promise;
  }
}

let endpoint: BasketEndpoint;

async function open(locking: Locking): Promise<void> {
  endpoint = await BasketEndpoint.open(locking);
}

describe.each(modes)('I4: messages of one saga at the same time in $name mode', ({ locking }) => {
  beforeEach(() => open(locking));

  /** All are loaded before one of them commits; where loading locks, they come one after another. */
  async function simultaneously(messages: readonly (readonly [type: string, id: string])[]): Promise<void> {
    const barrier = new CommitBarrier(messages.length);
    const deliveries = messages.map(async ([type, id]) => {
      const client = dynamoDBClient();
      if (locking.mode === 'optimistic') {
        const faults = new ClientFaults(client);
        faults.plan('TransactWriteItems', async (_input, proceed) => {
          await barrier.arrive();
          return await proceed();
        });
      }
      return await endpoint.deliver(type, id, { dynamoDBClient: client });
    });
    expect(await Promise.all(deliveries)).toEqual(messages.map(() => true));
  }

  function expectConflicts(operations: readonly string[], outcome: string): void {
    const conflicts = endpoint.reports.flatMap(({ error }) => {
      const isConflict = error instanceof SagaboxError && error.code === 'SagaConcurrency';
      return isConflict ? [error] : [];
    });
    if (locking.mode === 'pessimistic') {
      expect(endpoint.reports.filter((report) => report.outcome === 'failed')).toEqual([]);
      return;
    }
    expect(conflicts.length).toBeGreaterThan(0);
    for (const { facts, message } of conflicts) {
      expect(facts).toMatchObject({ sagaName: 'Basket', sagaId: '7' });
      expect(operations).toContain((facts as { operation?: string }).operation);
      expect(message).toContain("The 'Basket' saga with id '7' could not be ");
    }
    expect(conflicts.map(({ message }) => message)).toEqual(
      expect.arrayContaining([expect.stringContaining(outcome)]),
    );
  }

  it('have one of them start the saga, and the others find it', async () => {
    const ids = ['a', 'b', 'c'];
    await simultaneously(ids.map((id) => ['Opened', id] as const));
    expect((await endpoint.handled())?.toSorted()).toEqual(ids);
    expect((await endpoint.basket())?.version?.N).toBe('3');
    expectConflicts(['create', 'update'], 'could not be created');
  });

  it('have one of them change the saga, and the others see the new state', async () => {
    await endpoint.deliver('Opened', 'first');
    await simultaneously(['a', 'b', 'c'].map((id) => ['Added', id] as const));
    expect((await endpoint.handled())?.toSorted()).toEqual(['a', 'b', 'c', 'first']);
    expect((await endpoint.basket())?.version?.N).toBe('4');
    expectConflicts(['update'], 'could not be updated');
  });

  it('have one of them complete the saga, and the others discarded', async () => {
    await endpoint.deliver('Opened', 'first');
    await simultaneously(['a', 'b', 'c'].map((id) => ['Closed', id] as const));
    expect(await endpoint.basket()).toBeUndefined();
    const ends = ['a', 'b', 'c'].map((id) => endpoint.outcomes(id).at(-1));
    expect(ends.toSorted()).toEqual(['discarded', 'discarded', 'handled']);
    expect(endpoint.notFound).toHaveLength(2);
    expectConflicts(['complete'], 'could not be completed');
  });

  it('have a change and a completion made in turn, or the change discarded', async () => {
    await endpoint.deliver('Opened', 'first');
    await simultaneously([
      ['Added', 'change'],
      ['Closed', 'completion'],
    ]);
    expect(await endpoint.basket()).toBeUndefined();
    expect(endpoint.outcomes('completion').at(-1)).toBe('handled');
    const change = endpoint.outcomes('change').at(-1);
    expect(endpoint.notFound).toEqual(change === 'discarded' ? ['change'] : []);
    expect(['handled', 'discarded']).toContain(change);
    expectConflicts(['update', 'complete'], 'could not be');
  });
});

describe.each(modes)('I5: a message for a completed saga in $name mode', ({ locking }) => {
  beforeEach(() => open(locking));

  it('is discarded, and leaves nothing', async () => {
    await endpoint.deliver('Opened', 'first');
    await endpoint.deliver('Closed', 'second');
    expect(await endpoint.deliver('Added', 'late')).toBe(true);
    expect(endpoint.notFound).toEqual(['late']);
    expect(await endpoint.basket()).toBeUndefined();
  });
});

describe.each(modes)('I1: a saga in $name mode', ({ locking }) => {
  beforeEach(() => open(locking));

  it('is not written when its handler changes nothing, and not left locked', async () => {
    await endpoint.deliver('Opened', 'first');
    const before = await endpoint.basket();
    await endpoint.deliver('Looked', 'second');
    expect(endpoint.outcomes('second')).toEqual(['handled']);
    expect(await endpoint.basket()).toEqual(before);
  });

  it('leaves no item when one handler starts and completes it', async () => {
    expect(await endpoint.deliver('Bought', 'first')).toBe(true);
    expect(await endpoint.basket()).toBeUndefined();
  });

  it('is left as it was when its handler has a bug, and not locked', async () => {
    const once = { recoverability: { immediateRetries: { maxRetries: 0 } } };
    expect(await endpoint.deliver('Broken', 'a', once)).toBe(false);
    expect(await endpoint.basket()).toBeUndefined();

    await endpoint.deliver('Opened', 'first');
    const before = await endpoint.basket();
    expect(await endpoint.deliver('Broken', 'a', once)).toBe(false);
    expect(await endpoint.basket()).toEqual(before);
    expect(endpoint.reports.at(-1)?.error).toMatchObject({ message: 'a bug' });
  });

  it('has a bug of its handler reported, whatever fails after it', async () => {
    const client = dynamoDBClient();
    const faults = new ClientFaults(client);
    for (const operation of ['DeleteItem', 'UpdateItem']) {
      faults.plan(
        operation,
        async (input, proceed) => {
          if (input.ExpressionAttributeValues?.[':lease'] !== undefined) return await proceed();
          throw new Error('no release');
        },
        3,
      );
    }
    const once = { recoverability: { immediateRetries: { maxRetries: 0 } }, dynamoDBClient: client };
    expect(await endpoint.deliver('Broken', 'a', once)).toBe(false);
    expect(endpoint.reports.at(-1)?.error).toMatchObject({ message: 'a bug' });
  });
});

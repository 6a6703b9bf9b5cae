import { beforeEach, describe, expect, it } from '@jest/globals';
import { SagaboxError } from 'sagabox';
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

describe.each(modes)('$name mode:', ({ locking }) => {
  let endpoint: BasketEndpoint;

  beforeEach(async () => {
    endpoint = await BasketEndpoint.open(locking);
  });

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

  it('of simultaneous starts one wins, and the others find the saga', async () => {
    const ids = ['a', 'b', 'c'];
    await simultaneously(ids.map((id) => ['Opened', id] as const));
    expect((await endpoint.handled())?.toSorted()).toEqual(ids);
    expect((await endpoint.basket())?.version?.N).toBe('3');
    expectConflicts(['create', 'update'], 'could not be created');
  });

  it('of simultaneous changes one wins, and the others see the new state', async () => {
    await endpoint.deliver('Opened', 'first');
    await simultaneously(['a', 'b', 'c'].map((id) => ['Added', id] as const));
    expect((await endpoint.handled())?.toSorted()).toEqual(['a', 'b', 'c', 'first']);
    expect((await endpoint.basket())?.version?.N).toBe('4');
    expectConflicts(['update'], 'could not be updated');
  });

  it('of simultaneous completions one wins, and the others are discarded', async () => {
    await endpoint.deliver('Opened', 'first');
    await simultaneously(['a', 'b', 'c'].map((id) => ['Closed', id] as const));
    expect(await endpoint.basket()).toBeUndefined();
    const ends = ['a', 'b', 'c'].map((id) => endpoint.outcomes(id).at(-1));
    expect(ends.toSorted()).toEqual(['discarded', 'discarded', 'handled']);
    expect(endpoint.notFound).toHaveLength(2);
    expectConflicts(['complete'], 'could not be completed');
  });

  it('of a simultaneous change and completion both happen in turn, or the change is discarded', async () => {
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

  it('a message for a completed saga is discarded, and leaves nothing', async () => {
    await endpoint.deliver('Opened', 'first');
    await endpoint.deliver('Closed', 'second');
    expect(await endpoint.deliver('Added', 'late')).toBe(true);
    expect(endpoint.notFound).toEqual(['late']);
    expect(await endpoint.basket()).toBeUndefined();
  });

  it('a saga that did not change is not written, and not left locked', async () => {
    await endpoint.deliver('Opened', 'first');
    const before = await endpoint.basket();
    await endpoint.deliver('Looked', 'second');
    expect(endpoint.outcomes('second')).toEqual(['handled']);
    expect(await endpoint.basket()).toEqual(before);
  });

  it('a saga that is started and completed in one handler leaves nothing', async () => {
    expect(await endpoint.deliver('Bought', 'first')).toBe(true);
    expect(await endpoint.basket()).toBeUndefined();
  });

  it('a saga whose handler has a bug is left as it was, and not locked', async () => {
    const once = { recoverability: { immediateRetries: { maxRetries: 0 } } };
    expect(await endpoint.deliver('Broken', 'a', once)).toBe(false);
    expect(await endpoint.basket()).toBeUndefined();

    await endpoint.deliver('Opened', 'first');
    const before = await endpoint.basket();
    expect(await endpoint.deliver('Broken', 'a', once)).toBe(false);
    expect(await endpoint.basket()).toEqual(before);
    expect(endpoint.reports.at(-1)?.error).toMatchObject({ message: 'a bug' });
  });

  it('a bug in a handler is not masked by what else fails', async () => {
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

import { beforeEach, describe, expect, it } from '@jest/globals';
import { type CreateHandlerOptions, type Locking, SagaboxError } from 'sagabox';
import { dieAt } from '../support/crash.ts';
import { dynamoDBClient } from '../support/engines.ts';
import { ClientFaults, disableSdkRetries, dynamoDBError } from '../support/faults.ts';
import { passTime } from '../support/wall-clock.ts';
import { BasketEndpoint } from './basket-endpoint.ts';

const leaseDurationMs = 30_000;

const locking: Locking = {
  mode: 'pessimistic',
  leaseDuration: { milliseconds: leaseDurationMs },
  leaseAcquisitionTimeout: { seconds: 100 },
  minRefreshDelay: { milliseconds: 30 },
  maxRefreshDelay: { milliseconds: 100 },
};

/** No clock can be turned between the requests that a test counts. */
const shortLease = { locking: { ...locking, leaseDuration: { milliseconds: 500 } } };

let endpoint: BasketEndpoint;
beforeEach(async () => {
  endpoint = await BasketEndpoint.open(locking);
});

const leaseEndMs = async () => Number((await endpoint.basket())?.lease?.M?.until?.N);
const errorCodes = (id: string) =>
  endpoint.reports.flatMap(({ messageId, error }) =>
    messageId === id && error instanceof SagaboxError ? [error.code] : [],
  );

/** A client that counts its requests for the lease, and says when each was made. */
function clientThatAsks(onRefused = () => {}) {
  const client = dynamoDBClient();
  const times: number[] = [];
  new ClientFaults(client).plan(
    'UpdateItem',
    async (input, proceed) => {
      if (input.ExpressionAttributeValues?.[':now'] === undefined) return await proceed();
      times.push(Date.now());
      try {
        return await proceed();
      } catch (refusal) {
        onRefused();
        throw refusal;
      }
    },
    100,
  );
  return { client, times };
}

/** The lease that is in the way ends once it has refused the message. */
async function deliverNext(type: string) {
  const { client, times } = clientThatAsks(() => passTime(leaseDurationMs + 1));
  const isDone = await endpoint.deliver(type, 'next', { dynamoDBClient: client });
  return { isDone, times };
}

/** A function that stands still just before its commit, with the lease in its hands. */
async function freeze(type: string, id: string, options: CreateHandlerOptions = {}) {
  const client = dynamoDBClient();
  const faults = new ClientFaults(client);
  const thaw = Promise.withResolvers<void>();
  const frozen = Promise.withResolvers<void>();
  faults.plan('TransactWriteItems', async (_input, proceed) => {
    frozen.resolve();
    await thaw.promise;
    return await proceed();
  });
  const delivery = endpoint.deliver(type, id, { dynamoDBClient: client, ...options });
  await frozen.promise;
  return { delivery, thaw: () => thaw.resolve() };
}

describe('I4: a function that dies or stands still while it holds a lease', () => {
  it.each([
    ['of a saga', 'Added'],
    ['of a saga that is not there yet', 'Opened'],
  ])('lets the next message go on after the end of the lease %s', async (_case, type) => {
    if (type === 'Added') await endpoint.deliver('Opened', 'first');
    const client = dynamoDBClient();
    dieAt([client], { operation: 'TransactWriteItems', when: 'before', nth: 1 });
    const once = { recoverability: { immediateRetries: { maxRetries: 0 } } };
    expect(await endpoint.deliver(type, 'dead', { dynamoDBClient: client, ...once })).toBe(false);
    const endMs = await leaseEndMs();

    const { isDone, times } = await deliverNext(type);

    expect(isDone).toBe(true);
    expect(endpoint.outcomes('next')).toEqual(['handled']);
    const [refusedMs, takenMs] = times;
    expect(times).toHaveLength(2);
    expect(refusedMs).toBeLessThanOrEqual(endMs);
    expect(takenMs).toBeGreaterThan(endMs);
    expect(await endpoint.handled()).toEqual(type === 'Added' ? ['first', 'next'] : ['next']);
  });

  it('lets the next message ask for the lease a few times only', async () => {
    await endpoint.deliver('Opened', 'first');
    const { delivery, thaw } = await freeze('Added', 'frozen', shortLease);
    const { client, times } = clientThatAsks();
    await endpoint.deliver('Added', 'next', { dynamoDBClient: client });
    // Half a second in delays of 30 to 100 ms that double twice, and the attempt that succeeds.
    expect(times.length).toBeLessThanOrEqual(8);
    thaw();
    await delivery;
  });

  it.each([
    ['update', 'Added', 'Added'],
    ['complete', 'Closed', 'Added'],
    ['create', 'Opened', 'Opened'],
  ])('fails to %s when it comes back, and then finds what the others did', async (kind, type, nextType) => {
    if (kind !== 'create') await endpoint.deliver('Opened', 'first');
    const { delivery, thaw } = await freeze(type, 'late');
    expect(await deliverNext(nextType)).toMatchObject({ isDone: true });
    const between = await endpoint.handled();
    expect(between).toEqual(kind === 'create' ? ['next'] : ['first', 'next']);

    thaw();
    expect(await delivery).toBe(true);

    expect(errorCodes('late')).toEqual(['SagaConcurrency']);
    expect(endpoint.outcomes('late')).toEqual(['failed', 'handled']);
    expect(await endpoint.handled()).toEqual(kind === 'complete' ? undefined : [...(between ?? []), 'late']);
  });

  it('fails to commit when it comes back, also if the next one changed nothing', async () => {
    await endpoint.deliver('Opened', 'first');
    const { delivery, thaw } = await freeze('Added', 'late');
    expect(await deliverNext('Looked')).toMatchObject({ isDone: true });
    thaw();
    expect(await delivery).toBe(true);
    expect(errorCodes('late')).toEqual(['SagaConcurrency']);
    expect(await endpoint.handled()).toEqual(['first', 'late']);
  });
});

describe('I5: a lock where there is no saga', () => {
  it('is no saga for a message that starts none, and has a time to live', async () => {
    const { delivery, thaw } = await freeze('Opened', 'frozen');
    const lock = await endpoint.basket();
    expect(lock?.version).toBeUndefined();
    expect(Number(lock?.ExpiresAt?.N) * 1000).toBeGreaterThan(Date.now() + 3_000_000);

    expect(await endpoint.deliver('Added', 'early')).toBe(true);
    expect(endpoint.notFound).toEqual(['early']);
    const optimistic = { locking: { mode: 'optimistic' } } as const;
    expect(await endpoint.deliver('Added', 'early too', optimistic)).toBe(true);
    expect(endpoint.notFound).toEqual(['early', 'early too']);

    thaw();
    expect(await delivery).toBe(true);
    const saga = await endpoint.basket();
    expect([saga?.version?.N, saga?.lease, saga?.ExpiresAt]).toEqual(['1', undefined, undefined]);
  });
});

describe('I4: an optimistic endpoint that meets a lease', () => {
  it('commits, and the holder of the lease is handled again', async () => {
    await endpoint.deliver('Opened', 'first');
    const { delivery, thaw } = await freeze('Added', 'holder');
    expect(await endpoint.deliver('Added', 'free', { locking: { mode: 'optimistic' } })).toBe(true);
    thaw();
    expect(await delivery).toBe(true);
    expect(errorCodes('holder')).toEqual(['SagaConcurrency']);
    expect(await endpoint.handled()).toEqual(['first', 'free', 'holder']);
  });
});

describe('Behaviour: a request for a lease that DynamoDB refuses', () => {
  it.each(['TransactionConflictException', 'ProvisionedThroughputExceededException', 'ThrottlingException'])(
    'is repeated as if the saga was locked: %s',
    async (name) => {
      await endpoint.deliver('Opened', 'first');
      const client = dynamoDBClient();
      disableSdkRetries(client);
      new ClientFaults(client).fail('UpdateItem', dynamoDBError(name), 3);
      expect(await endpoint.deliver('Added', 'next', { dynamoDBClient: client })).toBe(true);
      expect(endpoint.outcomes('next')).toEqual(['handled']);
    },
  );
});

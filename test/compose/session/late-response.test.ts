import { afterEach, beforeEach, expect, it, jest } from '@jest/globals';
import middy, { type MiddlewareObj } from '@middy/core';
import { type OutboxSessionContext, outboxSession, runOutboxSession } from 'sagabox';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { httpApiEvent } from '../../support/http-events.ts';
import { memoryPorts } from '../../support/memory-flow.ts';

beforeEach(() => {
  jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
});
afterEach(() => {
  jest.useRealTimers();
});

/** As a query builder has it: its query runs when it is awaited, and here the database never answers. */
const hanging = () => ({
  // biome-ignore lint/suspicious/noThenProperty: as query builders have it
  then: () => {},
});

const options = () =>
  ({
    endpoint: 'orders',
    operation: 'place',
    logger: silentLogger,
    ports: memoryPorts('orders').ports,
  }) as never;

const runs: [string, (context: never) => Promise<unknown>][] = [
  [
    'runOutboxSession',
    (context) => runOutboxSession(httpApiEvent(), hanging as never, { ...(options() as object), context }),
  ],
  [
    'outboxSession',
    (context) =>
      middy(((_event: unknown, _session: OutboxSessionContext) => hanging()) as never).use(
        outboxSession(options()) as MiddlewareObj,
      )(httpApiEvent() as never, context) as Promise<unknown>,
  ],
];

it.each(runs)(
  'I7: %s answers before the end though a thenable of its handler never settles',
  async (_, run) => {
    const endsAt = Date.now() + 3000;
    const context = { getRemainingTimeInMillis: () => endsAt - Date.now(), awsRequestId: 'r1' } as never;
    let ended = 'it hangs';
    void run(context).then(
      () => {
        ended = 'it answered';
      },
      (error: { code?: string }) => {
        ended = `it failed: ${error.code}`;
      },
    );
    await jest.advanceTimersByTimeAsync(3000);
    expect(ended).toBe('it failed: InvocationTimeout');
  },
);

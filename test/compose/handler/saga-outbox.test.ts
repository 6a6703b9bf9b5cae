import { expect, it } from '@jest/globals';
import middy from '@middy/core';
import { sagaOutbox } from 'sagabox';
import { MemorySagaLocks } from '../../../lib/testing/memory/saga-locks.ts';
import { silentLogger } from '../../../lib/testing/silent-logger.ts';
import { memoryPorts } from '../../support/memory-flow.ts';
import { placedSaga as saga } from '../../support/order-sagas.ts';
import { record } from '../../support/queue.ts';

it.each([
  ['as long as the timeout', { leaseDuration: { seconds: 30 } }, 0],
  ['shorter than the timeout', { leaseDuration: { seconds: 29 } }, 1],
  ['shorter, but renewed', { leaseDuration: { seconds: 29 }, renew: true }, 0],
])('a lease %s has so many warnings', async (_case, settings, count) => {
  const warnings: unknown[] = [];
  const logger = { ...silentLogger, warn: (...line: unknown[]) => void warnings.push(line) };
  const { storage, ports } = memoryPorts();
  const locks = new MemorySagaLocks(storage, ports.sagas, ports.clock);
  const locking = { mode: 'pessimistic', ...settings } as const;
  const outbox = sagaOutbox({ saga, locking, logger, endpoint: 'orders', ports: { ...ports, locks } });
  const handler = middy(saga.handler).use(outbox);
  const context = { getRemainingTimeInMillis: () => 30_000 };
  for (const id of ['1', '2']) await handler(record('Placed', { id }) as never, context as never);
  const durations = { endpoint: 'orders', leaseDurationMs: 29_000, functionTimeoutSeconds: 30 };
  expect(warnings).toEqual(Array(count).fill([expect.stringMatching(/leaseDuration is shorter/), durations]));
});

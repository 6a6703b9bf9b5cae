import { expect, it } from '@jest/globals';
import { MemoryCommitter } from '../../lib/adapters/memory/committer.ts';
import { MemoryDispatcher } from '../../lib/adapters/memory/dispatcher.ts';
import { MemoryOutboxStore } from '../../lib/adapters/memory/outbox-store.ts';
import { MemorySagaLocks } from '../../lib/adapters/memory/saga-locks.ts';
import { MemorySagaStore } from '../../lib/adapters/memory/saga-store.ts';
import { MemoryStorage } from '../../lib/adapters/memory/storage.ts';
import { configureFlow } from '../../lib/middleware/configure-flow.ts';
import { MovingClock } from '../support/moving-clock.ts';
import { placedSaga as saga } from '../support/order-sagas.ts';

const storage = new MemoryStorage();
const clock = new MovingClock();
const sagas = new MemorySagaStore(storage);
const ports = {
  sagas,
  outbox: new MemoryOutboxStore(storage, 'orders'),
  committer: new MemoryCommitter({ storage, endpoint: 'orders' }),
  dispatcher: new MemoryDispatcher(),
  clock,
};

it('takes the locks of the ports that are given, and none of DynamoDB beside them', () => {
  const locks = new MemorySagaLocks(storage, sagas, clock);
  const options = { endpoint: 'orders', saga, locking: { mode: 'pessimistic' } } as const;
  expect(configureFlow({ ...options, ports: { ...ports, locks } }, {}).pessimistic?.locks).toBe(locks);
  expect(() => configureFlow({ ...options, ports }, {})).toThrow(/ports.*have no locks/);
});

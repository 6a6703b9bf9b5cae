import { expect, it } from '@jest/globals';
import { MemorySagaLocks } from '../../lib/adapters/memory/saga-locks.ts';
import { configureFlow } from '../../lib/middleware/configure-flow.ts';
import { memoryPorts } from '../support/memory-flow.ts';
import { placedSaga as saga } from '../support/order-sagas.ts';

it('takes the locks of the ports that are given, and none of DynamoDB beside them', () => {
  const { storage, ports } = memoryPorts();
  const locks = new MemorySagaLocks(storage, ports.sagas, ports.clock);
  const options = { endpoint: 'orders', saga, locking: { mode: 'pessimistic' } } as const;
  expect(configureFlow({ ...options, ports: { ...ports, locks } }, {}).pessimistic?.locks).toBe(locks);
  expect(() => configureFlow({ ...options, ports }, {})).toThrow(/ports.*have no locks/);
});

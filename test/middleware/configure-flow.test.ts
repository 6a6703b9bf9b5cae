import { expect, it } from '@jest/globals';
import { openTelemetry } from 'sagabox/opentelemetry';
import { MemorySagaLocks } from '../../lib/adapters/memory/saga-locks.ts';
import { TracedDispatcher } from '../../lib/adapters/opentelemetry/traced-dispatcher.ts';
import { configureFlow } from '../../lib/middleware/configure-flow.ts';
import { configureRelay } from '../../lib/middleware/relay/configure-relay.ts';
import { memoryPorts } from '../support/memory-flow.ts';
import { placedSaga as saga } from '../support/order-sagas.ts';

it('takes the locks of the ports that are given, and none of DynamoDB beside them', () => {
  const { storage, ports } = memoryPorts();
  const locks = new MemorySagaLocks(storage, ports.sagas, ports.clock);
  const options = { endpoint: 'orders', saga, locking: { mode: 'pessimistic' } } as const;
  expect(configureFlow({ ...options, ports: { ...ports, locks } }, {}).pessimistic?.locks).toBe(locks);
  expect(() => configureFlow({ ...options, ports }, {})).toThrow(/ports.*have no locks/);
});

it('dispatches in spans with tracing only, also for the relay', () => {
  const { ports } = memoryPorts();
  const options = { endpoint: 'orders', ports };
  expect(configureFlow(options, {}).ports).toBe(ports);
  const tracing = openTelemetry();
  expect(configureFlow({ ...options, tracing }, {}).ports.dispatcher).toBeInstanceOf(TracedDispatcher);

  const relay = { endpoint: 'orders', outboxTable: { tableName: 'outbox' }, destinations: {}, tracing };
  expect(configureRelay(relay, {}).ports.dispatcher).toBeInstanceOf(TracedDispatcher);
});

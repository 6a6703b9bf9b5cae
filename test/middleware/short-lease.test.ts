import { expect, it } from '@jest/globals';
import middy from '@middy/core';
import { sagaOutbox } from 'sagabox';
import type { PessimisticLocking } from '../../lib/core/saga/locking.ts';
import { silentLogger } from '../../lib/testing/silent-logger.ts';
import { createTable, dynamoDBClient } from '../support/engines.ts';
import { placedSaga as saga } from '../support/order-sagas.ts';
import { record } from '../support/queue.ts';

async function warningsOf(locking: PessimisticLocking, timeoutMs: number): Promise<string[]> {
  const warnings: string[] = [];
  const table = { tableName: await createTable() };
  const client = dynamoDBClient();
  const logger = { ...silentLogger, warn: (text: string) => void warnings.push(text) };
  const options = {
    endpoint: 'orders',
    sagaTable: table,
    outboxTable: table,
    dynamoDBClient: client,
    logger,
  };
  const handler = middy(saga.handler).use(sagaOutbox({ saga, locking, ...options }));
  const context = { getRemainingTimeInMillis: () => timeoutMs };
  for (const id of ['1', '2']) await handler(record('Placed', { id }) as never, context as never);
  client.destroy();
  return warnings;
}

it.each([
  ['as long as the timeout', { leaseDuration: { seconds: 30 } }, 0],
  ['shorter than the timeout', { leaseDuration: { seconds: 29 } }, 1],
  ['shorter, but renewed', { leaseDuration: { seconds: 29 }, renew: true }, 0],
])('a lease %s', async (_case, settings, count) => {
  const warnings = await warningsOf({ mode: 'pessimistic', ...settings }, 30_000);
  expect(warnings).toHaveLength(count);
  for (const warning of warnings)
    expect(warning).toMatch(/leaseDuration \(29000 ms\).*timeout \(about 30 s\)/);
});

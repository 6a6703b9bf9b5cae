import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testSaga } from 'sagabox/testing';
import { orderSaga } from './order-saga.mjs';

test('reminds of a payment', async () => {
  const orders = testSaga(orderSaga);
  await orders.deliver('OrderPlaced', { orderId: '1' });
  assert.deepEqual(
    orders.outgoing.map(({ type }) => type),
    ['ChargeCard'],
  );
  await orders.advance({ minutes: 10 });
  assert.deepEqual(orders.state('1'), { reminders: 1 });
});

import { expect, test } from '@jest/globals';
import { testSaga } from 'sagabox/testing';
import { orderSaga } from './order-saga.mjs';

test('reminds of a payment', async () => {
  const orders = testSaga(orderSaga);
  await orders.deliver('OrderPlaced', { orderId: '1' });
  expect(orders.outgoing.map(({ type }) => type)).toEqual(['ChargeCard']);
  await orders.advance({ minutes: 10 });
  expect(orders.state('1')).toEqual({ reminders: 1 });
});

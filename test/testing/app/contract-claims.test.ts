import { describe, expect, it } from '@jest/globals';
import { defineContract, defineHandlers } from 'sagabox';
import { testApp } from 'sagabox/testing';
import { z } from 'zod';
import { refusalOf } from '../../support/error-of.ts';

const order = z.object({ orderId: z.string() });
const billing = defineContract('billing', { ChargeCard: order.clone() });
const taker = () => defineHandlers({ messages: billing.messages, handlers: { ChargeCard() {} } });
const sender = (lists: object) =>
  defineHandlers({ messages: { OrderPlaced: order }, ...lists, handlers: { OrderPlaced() {} } });

const appOf = (lists: object, second: object = {}, first: object = {}) =>
  testApp([
    { endpoint: 'orders', handles: sender(lists) },
    { endpoint: 'billing', handles: taker(), ...first },
    { endpoint: 'accounting', handles: taker(), ...second },
  ]);

describe('a contract whose messages two endpoints of an app take', () => {
  it.each([
    ['is sent', { sends: [billing] }],
    ['is replied to', { replies: [billing] }],
  ])('is refused when it %s', (_how, lists) => {
    const error = refusalOf(() => appOf(lists));
    expect(error.code).toBe('Configuration');
    expect(error.message).toContain(
      "the contract 'billing': 'ChargeCard' is taken by 'billing' and 'accounting'. Let one endpoint take it.",
    );
  });

  it('is refused also if one of them, of its name, subscribes to something', () => {
    const error = refusalOf(() => appOf({ sends: [billing] }, {}, { subscribesTo: ['events'] }));
    expect(error.message).toContain("is taken by 'billing' and 'accounting'");
  });

  const alike = defineContract('accounting', { ChargeCard: billing.messages.ChargeCard });

  it.each<[string, Parameters<typeof appOf>]>([
    ['an endpoint publishes it', [{ publishes: [billing] }]],
    [
      'one of them gets it from a topic',
      [{ sends: [billing] }, { subscribesTo: { events: ['ChargeCard'] } }],
    ],
    ['it shares the schema with another contract', [{ sends: [billing, alike] }]],
    ['nobody lists it', [{}]],
  ])('is taken when %s', (_when, parts) => {
    expect(() => appOf(...parts)).not.toThrow();
  });

  it('is taken when it is that of a topic', () => {
    const events = defineContract('order-events', { OrderPaid: order });
    const subscriber = defineHandlers({ messages: events.messages, handlers: { OrderPaid() {} } });
    const subscribed = { handles: subscriber, subscribesTo: ['order-events'] };
    expect(() =>
      testApp([
        { endpoint: 'orders', handles: sender({ sends: [events] }) },
        { endpoint: 'billing', ...subscribed },
        { endpoint: 'accounting', ...subscribed },
      ]),
    ).not.toThrow();
  });
});

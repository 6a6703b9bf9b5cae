import { describe, expect, it } from '@jest/globals';
import { Arrivals } from './arrivals.ts';
import { expectedOfProof, expectedOfSample } from './expected-effects.ts';
import { effectKey, judgeOrders } from './judge-orders.ts';

describe('what arrives at the far ends', () => {
  it('counts a message once, however often it comes under one id', () => {
    const arrivals = new Arrivals();
    const message = { orderId: 'order-1', type: 'OrderDone', messageId: 'a' };
    arrivals.take(message);
    arrivals.take(message);
    arrivals.take({ ...message, orderId: 'order-2' });
    expect(new Map(arrivals.effects)).toEqual(
      new Map([
        ['order-1 OrderDone', 1],
        ['order-2 OrderDone', 1],
      ]),
    );
    expect([arrivals.received, arrivals.again]).toEqual([3, 1]);
  });

  it('counts twice what comes under two ids', () => {
    const arrivals = new Arrivals();
    const message = { orderId: 'order-1', type: 'OrderDone', messageId: 'a' };
    arrivals.take(message);
    arrivals.take({ ...message, messageId: 'b' });
    expect(arrivals.effects).toEqual([['order-1 OrderDone', 2]]);
  });
});

describe('the orders', () => {
  const order = { orderId: 'order-1', effects: ['placed', 'billed'], possible: ['archived'] };
  const found = (effects: Record<string, number>) =>
    new Map(Object.entries(effects).map(([effect, times]) => [effectKey('order-1', effect), times]));

  it.each([
    ['are done when each effect is there once', { placed: 1, billed: 1 }, [1, [], []]],
    ['may have an effect that is only possible', { placed: 1, billed: 1, archived: 1 }, [1, [], []]],
    ['are lost without one of them', { placed: 1, archived: 1 }, [0, ['billed of order-1'], []]],
    ['are told of an effect that counted no times', { placed: 1, billed: 0 }, [0, ['billed of order-1'], []]],
    [
      'are told of one that is there twice',
      { placed: 1, billed: 2 },
      [1, [], ['billed of order-1 (2 times)']],
    ],
    [
      'are told of a possible one that is there twice',
      { placed: 1, billed: 1, archived: 3 },
      [1, [], ['archived of order-1 (3 times)']],
    ],
  ])('%s', (_what, effects: Record<string, number>, [done, lost, appliedTwice]) => {
    expect(judgeOrders([order], found(effects))).toEqual({ done, lost, appliedTwice });
  });

  it('of the proof have to reach the new endpoint once it is there, and may before', () => {
    const before = expectedOfProof('order-1', false);
    const after = expectedOfProof('order-1', true);
    expect(after.effects).toEqual([...before.effects, 'archived']);
    expect([before.possible, after.possible]).toEqual([['archived'], []]);
    expect(expectedOfSample('order-1').effects).toHaveLength(4);
  });
});

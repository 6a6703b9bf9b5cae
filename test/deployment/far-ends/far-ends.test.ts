import { describe, expect, it } from '@jest/globals';
import { Arrivals } from './arrivals.ts';
import { effectsOfCounters, expectedOfCounter } from './counters.ts';
import { expectedOfProof, expectedOfSample } from './expected-effects.ts';
import { effectKey, judgeOrders } from './judge-orders.ts';
import { isScheduledAgain, judgeSchedules } from './schedules.ts';
import { coalescedCommits, isMerged } from './shared-commits.ts';
import { stepsByHandler } from './steps-by-handler.ts';

const after = { afterUpdate: true, archived: 'always' } as const;

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
  const order = {
    ...expectedOfSample('order-1'),
    effects: ['placed', 'billed'],
    possible: ['archived'],
  };
  const found = (effects: Record<string, number>) =>
    new Map(Object.entries(effects).map(([effect, times]) => [effectKey('order-1', effect), times]));

  it.each([
    ['are done when each effect is there once', { placed: 1, billed: 1 }, [1, [], [], []]],
    ['may have an effect that is only possible', { placed: 1, billed: 1, archived: 1 }, [1, [], [], []]],
    ['are lost without one of them', { placed: 1, archived: 1 }, [0, ['billed of order-1'], [], []]],
    [
      'are told of an effect that counted no times',
      { placed: 1, billed: 0 },
      [0, ['billed of order-1'], [], []],
    ],
    [
      'are told of one that is there twice',
      { placed: 1, billed: 2 },
      [1, [], ['billed of order-1 (2 times)'], []],
    ],
    [
      'are told of a possible one that is there twice',
      { placed: 1, billed: 1, archived: 3 },
      [1, [], ['archived of order-1 (3 times)'], []],
    ],
    [
      'are told of one that must not be there',
      { placed: 1, billed: 1, reviewed: 1 },
      [1, [], [], ['order-1 reviewed (1 times)']],
    ],
  ])('%s', (_what, effects: Record<string, number>, [done, lost, appliedTwice, unexpected]) => {
    expect(judgeOrders([order], found(effects))).toEqual({ done, lost, appliedTwice, unexpected });
  });

  it('are told of an effect of an order that nobody placed', () => {
    const effects = new Map([['undefined billed', 1]]);
    expect(judgeOrders([], effects).unexpected).toEqual(['undefined billed (1 times)']);
  });

  it('of the proof have to reach the new endpoint while it subscribes, may before, and must not after', () => {
    const before = expectedOfProof('order-1', { afterUpdate: false, archived: 'perhaps' });
    const meanwhile = expectedOfProof('order-1', { afterUpdate: true, archived: 'always' });
    const gone = expectedOfProof('order-1', { afterUpdate: true, archived: 'never' });
    expect(meanwhile.effects).toEqual([...before.effects, 'archived']);
    expect(gone.effects).toEqual(before.effects);
    expect([before, meanwhile, gone].map(({ possible }) => possible)).toEqual([['archived'], [], []]);
    expect(expectedOfSample('order-1').effects).toHaveLength(4);
  });

  it('have their delivery done or taken back, never both', () => {
    const effectsOf = (orderId: string) => expectedOfProof(orderId, after).effects;
    expect(effectsOf('order-0002')).toContain('delivered');
    expect(effectsOf('order-0002')).not.toContain('van released');
    expect(effectsOf('order-0003')).toEqual(expect.arrayContaining(['van released', 'delivery given up']));
    expect(effectsOf('order-0003')).not.toContain('delivered');
  });

  it('stay open without their goods', () => {
    const open = expectedOfProof('order-1', { ...after, goodsOrdered: false });
    expect(open.effects).not.toContain('OrderDone');
    expect(open.pendingTimeouts).toEqual(['ReviewDue']);
  });
});

describe('the schedules', () => {
  const orders = [
    expectedOfProof('order-1', after),
    expectedOfProof('order-2', { ...after, goodsOrdered: false }),
  ];
  const pending = 'order-2 ReviewDue';

  it.each([
    ['are right with those of pending timeouts alone', [pending], []],
    ['miss one of a pending timeout', [], [`${pending} is pending and not scheduled`]],
    [
      'may not hold one of a cancelled timeout',
      [pending, 'order-1 ReviewDue'],
      ['order-1 ReviewDue is still scheduled'],
    ],
    ['may not hold one twice', [pending, pending], [`${pending} is still scheduled`]],
    [
      'may not hold a message that was due',
      [pending, 'order-1 Remind'],
      ['order-1 Remind is still scheduled'],
    ],
  ])('%s', (_what, scheduled: string[], complaints: string[]) => {
    expect(judgeSchedules(orders, scheduled)).toEqual(complaints);
  });

  it.each([
    ['ReviewDue', true],
    ['ProofDeliveryStepTimedOut', true],
    ['Remind', false],
  ])('may be made again after a death only of a timeout: %s', (type, isAgain) => {
    const [complaint = ''] = judgeSchedules([], [`order-1 ${type}`]);
    expect(isScheduledAgain(complaint)).toBe(isAgain);
  });
});

describe('the steps of the endpoint that is updated', () => {
  it('are divided by handler, and those of orders placed before the update are counted apart', () => {
    const orders = [
      expectedOfProof('order-1', { afterUpdate: false, archived: 'perhaps' }),
      expectedOfProof('order-2', after),
    ];
    const steps = [
      { step: 'order-1 audited', version: 'first' },
      { step: 'order-1 goods audited', version: 'updated' },
      { step: 'order-2 payment seen', version: 'updated' },
      { step: 'order-2 billed', version: 'first' },
    ];
    expect(stepsByHandler(orders, steps)).toEqual({ first: 1, updated: 2, updatedOfEarlierOrders: 1 });
  });
});

describe('the hot sagas', () => {
  const counter = { name: 'BillingCounter', id: 'a', isInOrder: true };
  const judged = (version: number, numbers: readonly number[], isInOrder = true) => {
    const found = effectsOfCounters([{ ...counter, isInOrder, version, numbers }]);
    const { done, lost, appliedTwice, unexpected } = judgeOrders([expectedOfCounter(counter, [1, 2])], found);
    return [done, lost, appliedTwice, unexpected];
  };

  it('count each number once, in order, with a version for each', () => {
    expect(judged(2, [1, 2])).toEqual([1, [], [], []]);
    expect(judged(2, [2, 1], false)).toEqual([1, [], [], []]);
  });

  it.each<[string, number, number[], string[], string[], string[]]>([
    ['a number is lost', 1, [1], ['number 2 of BillingCounter#a'], [], []],
    [
      'a saga does not exist',
      0,
      [],
      ['number 1 of BillingCounter#a', 'number 2 of BillingCounter#a'],
      [],
      [],
    ],
    ['a number counts that nobody sent', 3, [1, 2, 3], [], [], ['BillingCounter#a number 3 (1 times)']],
    [
      'the version is of fewer messages',
      1,
      [1, 2],
      [],
      [],
      ['BillingCounter#a version 1 after 2 messages (1 times)'],
    ],
    [
      'a FIFO group is out of order',
      2,
      [2, 1],
      [],
      [],
      ['BillingCounter#a numbers in another order (1 times)'],
    ],
  ])('are told of when %s', (_what, version, numbers, lost, twice, unexpected) => {
    const done = lost.length === 0 ? 1 : 0;
    expect(judged(version, numbers)).toEqual([done, lost, twice, unexpected]);
  });

  it('are told of a number that counts twice', () => {
    expect(judged(3, [1, 2, 2], false)).toEqual([1, [], ['number 2 of BillingCounter#a (2 times)'], []]);
  });
});

describe('shared commits', () => {
  it('are of several sagas, of one saga, or of both', () => {
    const ofTwo = { records: 2, sagas: ['OrdersCounter', 'OrdersCounter'] };
    const ofOne = { records: 10, sagas: ['StockCounter'] };
    const both = { records: 3, sagas: ['OrdersCounter', 'ProofOrder'] };
    const all = [ofTwo, ofOne, both];
    expect(all.filter(isMerged)).toEqual([ofTwo, both]);
    expect(coalescedCommits(all)).toEqual({ StockCounter: 1, OrdersCounter: 1, BillingCounter: 0 });
  });
});

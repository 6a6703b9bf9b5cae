import { describe, expect, it } from '@jest/globals';
import { complaintsAbout, denialLines, type Findings } from './verdict.ts';

const held: Findings = {
  orders: 150,
  done: 150,
  lost: [],
  appliedTwice: [],
  unexpected: [],
  schedules: [],
  denials: [],
  undispatched: [],
  wrongAnswers: [],
  kills: 20,
  wantedKills: 20,
  givenUp: [],
  errorQueuesMissed: 0,
  largestBatch: 10,
  mergedCommits: 1,
  coalescedCommits: { StockCounter: 1, OrdersCounter: 1 },
  deployment: [],
  stepsOfEarlierOrdersByUpdate: 1,
  leftBehind: [],
  retainedGone: [],
};
const denial = { principal: 'arn:role/Orders', action: 'sqs:SendMessage', resource: 'arn:queue' };

describe('the verdict of the deployment proof', () => {
  it('is good when all held', () => {
    expect(complaintsAbout(held)).toEqual([]);
    expect(complaintsAbout({ ...held, kills: 21 })).toEqual([]);
  });

  it('lets a killed function leave the schedule of a cancelled timeout, and no other', () => {
    const schedules = ['order-1 ReviewDue is still scheduled', 'order-1 Remind is still scheduled'];
    expect(complaintsAbout({ ...held, schedules })).toEqual([
      '1 schedules are not as the timeouts are: order-1 Remind is still scheduled',
    ]);
  });

  it.each<[string, Partial<Findings>, string]>([
    ['an order is not done', { done: 149 }, '1 of 150 orders are not done'],
    ['an effect is lost', { lost: ['billed of order-1'] }, '1 effects are lost: billed of order-1'],
    [
      'an effect was applied twice',
      { appliedTwice: ['billed of order-1 (2 times)'] },
      '1 effects were applied more than once: billed of order-1 (2 times)',
    ],
    [
      'a call was denied',
      { denials: [denial, denial] },
      '2 calls were denied: sqs:SendMessage on arn:queue for arn:role/Orders (2 times)',
    ],
    [
      'a request has another answer',
      { wrongAnswers: ['2 answers to the requests of order-1'] },
      '1 answers to requests are wrong: 2 answers to the requests of order-1',
    ],
    [
      'a record is undispatched',
      { undispatched: ['OUTBOX#a#1'] },
      '1 outbox records are undispatched: OUTBOX#a#1',
    ],
    ['a message was given up', { givenUp: ['Placed'] }, '1 messages were given up: Placed'],
    [
      'an error queue missed its message',
      { errorQueuesMissed: 1 },
      '1 error queues did not get what was sent for them',
    ],
    ['no batch is full', { largestBatch: 9 }, 'the largest batch held 9 messages, not 10'],
    ['no commits are merged', { mergedCommits: 0 }, 'no transaction committed messages of several sagas'],
    [
      'the messages of a saga are committed apart',
      { coalescedCommits: { StockCounter: 1, OrdersCounter: 0 } },
      'no transaction committed several messages of one saga of OrdersCounter',
    ],
    ['a deployment did not do', { deployment: ['cdk diff tells of changes'] }, 'cdk diff tells of changes'],
    [
      'an effect must never be',
      { unexpected: ['order-1 reviewed (1 times)'] },
      '1 effects must never be: order-1 reviewed (1 times)',
    ],
    [
      'a cancelled timeout is scheduled',
      { kills: 0, wantedKills: 0, schedules: ['order-1 ReviewDue is still scheduled'] },
      '1 schedules are not as the timeouts are: order-1 ReviewDue is still scheduled',
    ],
    [
      'nothing was on its way during the update',
      { stepsOfEarlierOrdersByUpdate: 0 },
      'the updated handler handled no message that was on its way during the update',
    ],
    [
      'something retained is gone',
      { retainedGone: ['Sagas-1'] },
      '1 resources should be retained and are gone: Sagas-1',
    ],
    ['something is left behind', { leftBehind: ['sqs queue'] }, '1 resources were left behind: sqs queue'],
    ['too few processes were killed', { kills: 19 }, '19 processes were killed at work, not 20'],
  ])('is bad when %s', (_what, findings, complaint) => {
    expect(complaintsAbout({ ...held, ...findings })).toEqual([complaint]);
  });

  it('names five of many', () => {
    const lost = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];
    expect(complaintsAbout({ ...held, lost })).toEqual(['7 effects are lost: a; b; c; d; e; and 2 more']);
  });

  it('tells each denied call once, with how often it was denied', () => {
    const other = { ...denial, action: 'sns:Publish' };
    expect(denialLines([denial, other, denial])).toEqual([
      'sqs:SendMessage on arn:queue for arn:role/Orders (2 times)',
      'sns:Publish on arn:queue for arn:role/Orders',
    ]);
  });
});

import { describe, expect, it } from '@jest/globals';
import { contenderNames } from './contenders.ts';
import { losses } from './losses.ts';
import { assertNoLoss } from './measure.ts';
import type { RoundFigures } from './round.ts';
import { figuresOfRounds } from './rounds.ts';

const round: RoundFigures = {
  messages: 10,
  applied: 10,
  appliedTwice: 0,
  deadLettered: 0,
  conflicts: 3,
  refusedLockAttempts: 0,
  rcuPerMessage: 2,
  wcuPerMessage: 4,
  refusedWcuPerMessage: 1,
  seconds: 1,
};

describe('the figures of several rounds', () => {
  it('are medians of what chance decides on', () => {
    const rounds = [3, 100, 4].map((conflicts, index) => ({ ...round, conflicts, seconds: index }));
    expect(figuresOfRounds(rounds)).toEqual({
      messages: 10,
      appliedOnce: 10,
      appliedTwice: 0,
      deadLettered: 0,
      conflicts: 4,
      refusedLockAttempts: 0,
      rcuPerMessage: 2,
      wcuPerMessage: 4,
      refusedWcuPerMessage: 1,
      seconds: 1,
    });
  });

  it('hide no round that lost a message, or applied one twice', () => {
    const bad = { ...round, applied: 9, appliedTwice: 2, deadLettered: 1 };
    expect(figuresOfRounds([round, bad, round])).toMatchObject({
      appliedOnce: 7,
      appliedTwice: 2,
      deadLettered: 1,
    });
  });
});

describe('a round that broke the promise', () => {
  it.each([
    [{ applied: 9 }, '1 messages were not applied'],
    [{ appliedTwice: 2 }, '2 messages were applied more than once'],
    [{ deadLettered: 1 }, '1 messages are in the dead-letter queue'],
  ])('%j ends the measurement when it is of sagabox, and is told when it is of a peer', (change, loss) => {
    const bad = { ...round, ...change };
    expect(losses(bad)).toEqual([loss]);
    for (const name of contenderNames) {
      const judge = () => assertNoLoss(name, bad);
      if (['optimistic', 'eventual', 'pessimistic'].includes(name)) expect(judge).toThrow(loss);
      else expect(judge).not.toThrow();
    }
  });

  it('is none that applied each message once', () => {
    expect(losses(round)).toEqual([]);
    for (const name of contenderNames) expect(() => assertNoLoss(name, round)).not.toThrow();
  });
});

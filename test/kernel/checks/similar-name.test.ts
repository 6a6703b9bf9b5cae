import { describe, expect, it } from '@jest/globals';
import { nameQuestion, similarNames } from '../../../lib/kernel/checks/similar-name.ts';

const known = ['concurrency', 'logger', 'outbox', 'saga'];

describe('the name that was meant', () => {
  it.each([
    ['concurency', ['concurrency']],
    ['concurrencyy', ['concurrency']],
    ['Logger', ['logger']],
    ['otubox', ['outbox']],
    ['sage', ['saga']],
    ['cncurenc', []],
    ['bags', ['saga']],
    ['', []],
  ])('of %j is %j', (name, meant) => {
    expect(similarNames(name, known)).toEqual(meant);
  });

  it.each([
    ['compensate', ['compensation']],
    ['conpemsate', []],
    ['partitionName', ['partitionKeyName']],
  ])('of the long %j is %j: one character in four can be wrong', (name, meant) => {
    expect(similarNames(name, ['compensation', 'partitionKeyName'])).toEqual(meant);
  });

  it('is one of the three closest', () => {
    expect(similarNames('sends', ['send', 'sand', 'ends', 'bends', 'sends2'])).toEqual([
      'send',
      'ends',
      'bends',
    ]);
  });

  it.each([
    ['timeout', ['functionTimeout', 'visibilityTimeout']],
    ['maxFunctionTimeout', ['functionTimeout']],
    ['visi', ['visibilityTimeout']],
    ['vis', []],
  ])('may have %j as a part, or be one: %j', (name, meant) => {
    expect(similarNames(name, ['batchSize', 'functionTimeout', 'visibilityTimeout'])).toEqual(meant);
  });
});

describe('the question for a name', () => {
  it.each([
    ['logger', known, "did you mean 'logger'?"],
    ['maxTimeout', [...known, 'timeout', 'maxTimeouts'], "did you mean 'maxTimeouts' or 'timeout'?"],
    ['unlike', known, undefined],
    ['unlike', ['start', 'abort', 'giveUp'], "did you mean 'start' or 'abort' or 'giveUp'?"],
    ['unlike', [], undefined],
  ])('%j of %j is %p: up to three names are all told', (name, of, question) => {
    expect(nameQuestion(name, of)).toBe(question);
  });
});

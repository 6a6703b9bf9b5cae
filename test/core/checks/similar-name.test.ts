import { describe, expect, it } from '@jest/globals';
import { similarName } from '../../../lib/core/checks/similar-name.ts';

const known = ['concurrency', 'logger', 'outbox', 'saga'];

describe('the name that was meant', () => {
  it.each([
    ['concurency', 'concurrency'],
    ['concurrencyy', 'concurrency'],
    ['Logger', 'logger'],
    ['otubox', 'outbox'],
    ['sage', 'saga'],
    ['cncurenc', undefined],
    ['bags', undefined],
    ['', undefined],
  ])('of %j is %j', (name, meant) => {
    expect(similarName(name, known)).toBe(meant);
  });

  it.each([
    ['compensate', 'compensation'],
    ['conpemsate', undefined],
    ['partitionName', 'partitionKeyName'],
  ])('of the long %j is %j: one character in four can be wrong', (name, meant) => {
    expect(similarName(name, ['compensation', 'partitionKeyName'])).toBe(meant);
  });

  it('is the closest one', () => {
    expect(similarName('sends', ['send', 'sand', 'ends', 'sendss'])).toBe('send');
  });
});

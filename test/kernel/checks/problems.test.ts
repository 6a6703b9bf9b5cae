import { describe, expect, it } from '@jest/globals';
import { problemsError } from '../../../lib/kernel/checks/problems.ts';

const one = { at: 'batchSize', problem: '0 is out of range', remedy: 'Use 1' };
const other = { at: '', problem: 'it is wrong', remedy: 'Leave it out' };

describe('the error of problems', () => {
  it.each([
    [[one], {}, 'batchSize: 0 is out of range. Use 1.'],
    [[one], { prefix: 'send: ' }, 'send: batchSize: 0 is out of range. Use 1.'],
    [[one], { page: 'docs/guide/relay.md' }, 'batchSize: 0 is out of range. Use 1. See docs/guide/relay.md.'],
    [[other], { prefix: 'send: ' }, 'the whole: it is wrong. Leave it out.'],
    [
      [one, other],
      {},
      'the whole: batchSize: 0 is out of range. Use 1. it is wrong. Leave it out. Correct each of them.',
    ],
    [
      [one, other],
      { page: 'docs/guide/relay.md', prefix: 'send: ' },
      'the whole: batchSize: 0 is out of range. Use 1. it is wrong. Leave it out. See docs/guide/relay.md.',
    ],
  ])('of %j with %j names all of them', (problems, place, message) => {
    expect(problemsError('the whole', problems, place).message).toBe(message);
  });

  it('has the cause that it is given', () => {
    expect(problemsError('the whole', [one], { cause: one }).cause).toBe(one);
    expect('cause' in problemsError('the whole', [one])).toBe(false);
  });
});

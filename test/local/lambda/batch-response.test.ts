import { describe, expect, it } from '@jest/globals';
import { acknowledgedMessageIds } from '../../../lib/local/lambda/batch-response.ts';
import { exitError } from '../../../lib/local/lambda/function-error.ts';

const messageIds = ['a', 'b'];

function answered(result: unknown): readonly string[] {
  return acknowledgedMessageIds({ kind: 'result', result }, messageIds, true);
}

describe('the answer to a batch', () => {
  it.each([
    ['null', null],
    ['an empty string', ''],
    ['an empty object', {}],
    ['a null list', { batchItemFailures: null }],
    ['an empty list', { batchItemFailures: [] }],
  ])('%s acknowledges all', (_, result) => {
    expect(answered(result)).toEqual(messageIds);
  });

  it('acknowledges all but the named ones', () => {
    expect(answered({ batchItemFailures: [{ itemIdentifier: 'b' }] })).toEqual(['a']);
  });

  it.each([
    ['a string', 'done'],
    ['a list that is none', { batchItemFailures: 'b' }],
    ['an empty id', { batchItemFailures: [{ itemIdentifier: '' }] }],
    ['a null id', { batchItemFailures: [{ itemIdentifier: null }] }],
    ['a misspelt key', { batchItemFailures: [{ messageId: 'b' }] }],
    ['a null entry', { batchItemFailures: [null] }],
    ['an id of another batch', { batchItemFailures: [{ itemIdentifier: 'b' }, { itemIdentifier: 'z' }] }],
  ])('%s acknowledges none', (_, result) => {
    expect(answered(result)).toEqual([]);
  });

  it.each(['error', 'died', 'timedOut'] as const)(
    'an instance that ends with %s acknowledges none',
    (kind) => {
      expect(acknowledgedMessageIds({ kind, error: exitError('no') }, messageIds, true)).toEqual([]);
    },
  );

  it('names no failures where the mapping does not ask for them', () => {
    const result = { batchItemFailures: [{ itemIdentifier: 'b' }] };
    expect(acknowledgedMessageIds({ kind: 'result', result }, messageIds, false)).toEqual(messageIds);
  });
});

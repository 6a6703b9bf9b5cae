import { describe, expect, it } from '@jest/globals';
import { isRetryable, isSagaboxError } from '../../lib/core/errors.ts';
import { describeError } from '../../lib/core/failure-facts.ts';
import { isError, thrownText } from '../../lib/core/thrown.ts';

const throwing = () => {
  throw undefined;
};

describe('what was thrown', () => {
  it.each([
    ['an error', new Error('a bug'), 'a bug'],
    ['a text', 'a bug', 'a bug'],
    ['nothing', undefined, 'undefined'],
    ['a symbol', Symbol('bug'), 'Symbol(bug)'],
    ['what has no text', { toString: throwing }, 'a value without a text'],
    ['an error whose message throws', withMessage(throwing), 'a value without a text'],
    ['a proxy that tells nothing', new Proxy({}, { get: throwing }), 'a value without a text'],
  ])('has a text: %s', (_what, thrown, text) => {
    expect(thrownText(thrown)).toBe(text);
    expect(describeError(thrown).message).toBe(text);
  });

  it('may throw when it is asked what it is', () => {
    const thrown = new Proxy(new Error('m'), { getPrototypeOf: throwing });
    expect(isError(thrown)).toBe(false);
    expect(isSagaboxError(thrown)).toBe(false);
    expect(isRetryable(thrown)).toBe(false);
    expect(describeError(thrown).code).toBe('Unknown');
  });
});

function withMessage(get: () => string): Error {
  return Object.defineProperty(new Error('m'), 'message', { get });
}

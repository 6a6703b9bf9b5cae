import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import {
  isRetryable,
  isSagaboxError,
  SagaboxError,
  UnrecoverableError,
} from '../../../lib/kernel/errors/errors.ts';
import { describeValue, isError, thrownMessage } from '../../../lib/kernel/errors/thrown.ts';
import { describeError } from '../../../lib/messages/failures/failure-facts.ts';
import { isUnrecoverable } from '../../../lib/recoverability/policy.ts';
import { ownCopy } from '../../support/own-copy.ts';

const circle: Record<string, unknown> = { code: 402 };
circle.self = circle;

const refusals = [new Error('refused by ::1'), new Error('refused by 127.0.0.1'), 'no route'];

const throwing = () => {
  throw undefined;
};

describe('what was thrown', () => {
  it.each([
    ['an error', new Error('a bug'), 'a bug'],
    ['a text', 'a bug', 'a bug'],
    ['nothing', undefined, 'undefined'],
    ['a symbol', Symbol('bug'), 'Symbol(bug)'],
    ['an object', { code: 402 }, '{"code":402}'],
    ['an object within', { error: { code: 402 } }, '{"error":{"code":402}}'],
    ['an array', [{ code: 402 }], '[{"code":402}]'],
    ['an object without a prototype', Object.assign(Object.create(null), { code: 402 }), '{"code":402}'],
    ['an object with a string form', { toString: () => 'declined' }, 'declined'],
    [
      'an object with a getter that throws',
      {
        code: 402,
        get at() {
          return throwing();
        },
      },
      '{"code":402,"at":"[undefined]"}',
    ],
    ['a circle', circle, '{"code":402,"self":"[Circular]"}'],
    ['a bigint within', { code: 402n }, '{"code":"402"}'],
    ['null', null, 'null'],
    ['a number', 402, '402'],
    ['a function', Math.max, expect.stringContaining('max')],
    [
      'a secret',
      { code: 402, headers: { Authorization: 'Bearer abc' } },
      '{"code":402,"headers":{"Authorization":"***"}}',
    ],
    ['an error of several', new AggregateError(refusals), 'refused by ::1; refused by 127.0.0.1; "no route"'],
    ['an error of several, with a text', new AggregateError(refusals, 'nobody listens'), 'nobody listens'],
    ['an error of another realm', runInNewContext('new RangeError("too far")'), 'too far'],
    ['what has no text', { toString: throwing }, 'a value without a string form'],
    ['an error whose message throws', withMessage(throwing), 'a value without a string form'],
    ['a proxy that tells nothing', new Proxy({}, { get: throwing }), 'a value without a string form'],
  ])('has a text: %s', (_what, thrown, text) => {
    expect(thrownMessage(thrown)).toEqual(text);
    expect(describeError(thrown).message).toEqual(text);
  });

  it('may throw when it is asked what it is', () => {
    const thrown = new Proxy(new Error('m'), { getPrototypeOf: throwing });
    expect(isError(thrown)).toBe(false);
    expect(isSagaboxError(thrown)).toBe(false);
    expect(isRetryable(thrown)).toBe(false);
    expect(describeError(thrown).code).toBe('Unknown');
  });
});

describe('an error of ours', () => {
  it.each([
    ['that tells nothing', new Proxy(new UnrecoverableError('m'), { get: throwing })],
    ['without its code', Object.defineProperty(new UnrecoverableError('m'), 'code', { get: throwing })],
  ])('%s passes for one of somebody else', (_what, thrown) => {
    expect(isError(thrown)).toBe(true);
    expect(isSagaboxError(thrown)).toBe(false);
    expect(isRetryable(thrown)).toBe(false);
    expect(isUnrecoverable(thrown)).toBe(false);
    expect(typeof describeError(thrown).code).toBe('string');
  });
});

describe('an error of another copy of sagabox in the process', () => {
  it('is known, whatever instanceof says', async () => {
    type Errors = typeof import('../../../lib/kernel/errors/errors.ts');
    const copy = await ownCopy<Errors>('lib/kernel/errors/errors.ts');
    const throttled = new copy.SagaboxError('Throttled', { operation: 'commit', reason: 'slow down' });
    expect(throttled).not.toBeInstanceOf(SagaboxError);

    expect(isSagaboxError(throttled)).toBe(true);
    expect(isRetryable(throttled)).toBe(true);
    expect(describeError(throttled).code).toBe('Throttled');
    expect(isUnrecoverable(new copy.UnrecoverableError('gone'))).toBe(true);
  });

  it('is not taken for one by its name and code', () => {
    const alike = Object.assign(new Error('m'), { name: 'SagaboxError', code: 'Throttled' });
    expect(isSagaboxError(alike)).toBe(false);
  });
});

function withMessage(get: () => string): Error {
  return Object.defineProperty(new Error('m'), 'message', { get });
}

it.each([
  ['a "text"', '"a \\"text\\""'],
  [Number.NaN, 'NaN'],
  [undefined, 'undefined'],
  [{ a: [1] }, '{"a":[1]}'],
  [5n, 'a value of type bigint'],
  [() => {}, 'a value of type function'],
  [Symbol('s'), 'a value of type symbol'],
])('%p has a text for a sentence', (value, text) => {
  expect(describeValue(value)).toBe(text);
});

import { describe, expect, it } from '@jest/globals';
import {
  type ErrorCode,
  errorMessages,
  isRetryable,
  SagaboxError,
  UnrecoverableError,
} from '../../../lib/kernel/errors/errors.ts';
import { errorSamples } from './error-samples.ts';

const codes = Object.keys(errorSamples) as ErrorCode[];

describe('the errors', () => {
  it('are all here', () => {
    expect(codes.toSorted()).toEqual(Object.keys(errorMessages).toSorted());
  });

  it.each(codes)('%s names every fact and a remedy', (code) => {
    const [facts, remedy] = errorSamples[code];
    const error = new SagaboxError(code, facts as never);
    for (const fact of factTexts(facts)) expect(error.message).toContain(fact);
    expect(error.message).toMatch(remedy);
    expect(error.message).not.toMatch(/undefined|\[object|\.\.$/);
    expect(error.message.at(0)).toMatch(/\S/);
  });

  it.each(codes)('%s can be told by its code, and whether it may pass', (code) => {
    const cause = new Error('below');
    const error = new SagaboxError(code, errorSamples[code][0] as never, { cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'SagaboxError',
      code,
      facts: errorSamples[code][0],
      cause,
    });
    expect(isRetryable(error)).toBe(error.retryable);
  });

  it.each([
    ['SagaConcurrency', true],
    ['SettingsNotLoaded', true],
    ['OtherSagaForm', false],
    ['Configuration', false],
  ] as const)('%s is retryable: %s', (code, expected) => {
    const error = new SagaboxError<ErrorCode>(code, errorSamples[code][0]);
    expect([error.retryable, isRetryable(error)]).toEqual([expected, expected]);
  });

  it.each([
    ['create', 'could not be created, possibly due to a concurrency conflict'],
    ['update', 'was updated by another process or no longer exists'],
    ['complete', 'was updated by another process or no longer exists'],
  ] as const)('tell a conflict at %s', (operation, detail) => {
    const { message } = new SagaboxError('SagaConcurrency', {
      sagaName: 'OrderSaga',
      sagaId: '42',
      operation,
    });
    expect(message).toContain("The 'OrderSaga' saga with id '42'");
    expect(message).toContain(detail);
  });

  it('of others are not retried', () => {
    expect(isRetryable(new Error('a bug'))).toBe(false);
    expect(isRetryable(undefined)).toBe(false);
    expect(isRetryable({ retryable: true })).toBe(false);
  });
});

it('InvocationTimeout tells of a request what becomes of it', () => {
  const facts = { messageId: 'in-1', remainingTimeMs: 480, of: 'request' } as const;
  const { message } = new SagaboxError('InvocationTimeout', facts);
  expect(message).toMatch(
    /480 ms left, too little for 'in-1': the request fails.*Repeat it.*idempotency key/,
  );
  expect(message).not.toMatch(/queue|batch/);
});

describe('UnrecoverableError', () => {
  it('is thrown with a message alone', () => {
    const cause = new Error('below');
    const error = new UnrecoverableError('The card was stolen', { cause });
    expect(error).toBeInstanceOf(SagaboxError);
    expect(error).toMatchObject({
      name: 'UnrecoverableError',
      code: 'Unrecoverable',
      message: 'The card was stolen',
      retryable: false,
      cause,
    });
  });
});

/**
 * Which of two outcomes a conflict had is told in words; the other facts stand in the message as they are:
 * names with commas between them, and what is longer, and may hold commas, with semicolons.
 */
function factTexts(facts: object): string[] {
  return Object.entries(facts)
    .filter(([name, value]) => name !== 'operation' || value === 'PutItem')
    .filter(([, value]) => typeof value !== 'boolean' && typeof Object(value)[0] !== 'object')
    .map(([name, value]) =>
      Array.isArray(value) ? value.join(/Names|Types/.test(name) ? ', ' : '; ') : `${value}`,
    );
}

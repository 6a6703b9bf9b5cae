import { describe, expect, it } from '@jest/globals';
import { SagaboxError, UnrecoverableError } from '../../lib/kernel/errors/errors.ts';
import {
  assertAction,
  defaultPolicy,
  delayedRetrySeconds,
  type MessageFailure,
  recoverability,
} from '../../lib/recoverability/policy.ts';
import { record } from '../support/queue.ts';

const settings = {
  immediateRetries: { maxRetries: 5, baseDelayMs: 50, maxDelayMs: 2000 },
  delayedRetries: { baseDelaySeconds: 10, maxDelaySeconds: 900 },
};
const message = { messageId: 'in-1', messageType: 'Placed' };

function failure(error: unknown, facts: Partial<MessageFailure> = {}): MessageFailure {
  return {
    error,
    code: undefined,
    message: undefined,
    saga: undefined,
    record: record('Placed', {}),
    attempts: 1,
    receiveCount: 1,
    maxReceiveCount: 5,
    hasErrorQueue: true,
    ...facts,
  };
}

const conflict = new SagaboxError('SagaConcurrency', { sagaName: 'Order', sagaId: '1', operation: 'update' });
const policy = defaultPolicy(settings, () => 0.5);

describe('the default policy', () => {
  it.each([
    new SagaboxError('InvalidMessage', { ...message, issues: ['no id'] }),
    new SagaboxError('UnknownMessageType', { ...message, knownTypes: [] }),
    new SagaboxError('CorrelationMissing', { ...message, sagaName: 'Order' }),
    new SagaboxError('CorrelationRounded', {
      ...message,
      sagaName: 'Order',
      path: 'body.id',
      written: '1e21',
    }),
    new UnrecoverableError('the card was stolen'),
  ])('sends what nothing can help to the error queue: $code', (error) => {
    expect(policy(failure(error))).toEqual(recoverability.errorQueue);
    expect(policy(failure(error, { hasErrorQueue: false }))).toEqual(recoverability.retryIn({ seconds: 5 }));
  });

  it.each([
    [1, recoverability.retryNow],
    [5, recoverability.retryNow],
    [6, recoverability.retryIn({ seconds: 5 })],
  ])('after attempt %i at what a retry can help: %p', (attempts, action) => {
    expect(policy(failure(conflict, { attempts }))).toEqual(action);
  });

  it.each([
    [1, 5],
    [2, 10],
    [7, 320],
    [8, 450],
    [1000, 450],
  ])('gives a bug back at delivery %i, for %i s', (receiveCount, seconds) => {
    expect(policy(failure(new TypeError('a bug'), { receiveCount }))).toEqual(
      recoverability.retryIn({ seconds }),
    );
  });
});

describe('delayedRetrySeconds', () => {
  it.each([
    [{ baseDelaySeconds: 10, maxDelaySeconds: 900 }, 0, 1],
    [{ baseDelaySeconds: 10, maxDelaySeconds: 900 }, 0.99, 10],
    [{ baseDelaySeconds: 0, maxDelaySeconds: 900 }, 0.99, 0],
    [{ baseDelaySeconds: 10, maxDelaySeconds: 0 }, 0.99, 0],
  ])('at the first delivery, with %j and random %f: %i s', (delays, random, seconds) => {
    expect(delayedRetrySeconds(1, delays, random)).toBe(seconds);
  });
});

describe('assertAction', () => {
  it.each([
    recoverability.retryNow,
    recoverability.errorQueue,
    recoverability.ignore,
    recoverability.byDefault,
    recoverability.retryIn({ seconds: 0 }),
    recoverability.retryIn({ seconds: 43_200 }),
  ])('takes %j', (action) => expect(() => assertAction(action)).not.toThrow());

  it.each([
    [undefined, 'no action'],
    [null, 'no action'],
    ['retryNow', 'no action'],
    [{}, 'no action'],
    [{ action: 'explode' }, 'no action'],
    [{ action: 'explode', seconds: 5 }, 'no action'],
    [{ seconds: 5 }, 'no action'],
    [recoverability.retryIn, 'no action'],
    [recoverability.retryIn({ seconds: -1 }), 'a delay of -1 seconds'],
    [recoverability.retryIn({ seconds: 43_201 }), 'a delay of 43201 seconds'],
    [recoverability.retryIn({ seconds: Number.NaN }), 'its seconds are NaN, not a finite number'],
    [{ action: 'retryIn' }, 'undefined is no duration'],
    [{ action: 'retryIn', delay: { seconds: '5' } }, 'its seconds are "5", not a finite number'],
    [{ action: 'retryIn', delay: 5 }, '5 is no duration'],
  ])('refuses %p', (action, told) => {
    expect(() => assertAction(action)).toThrow(
      expect.objectContaining({ code: 'Configuration', message: expect.stringContaining(told) }),
    );
  });
});

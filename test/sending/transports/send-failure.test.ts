import { describe, expect, it } from '@jest/globals';
import { callFailure, dispatchError, failsWithAny } from '../../../lib/sending/transports/send-failure.ts';
import { awsError, connectionLost } from '../../support/faults.ts';

const finalErrors = new Set(['AccessDenied']);

it.each([
  ['AccessDenied', true],
  ['Throttled', false],
])('the failure of a call by %s is final: %p', (name, isFinal) => {
  const cause = Object.assign(new Error('no'), { name });
  expect(callFailure(cause, finalErrors)).toEqual({ isFinal, detail: `${name}: no`, cause });
});

describe('the error of a dispatch', () => {
  const final = { isFinal: true, detail: 'refused' };
  const passing = { isFinal: false, detail: 'slow' };

  it.each([
    [[final, final], 'DispatchRefused', ['refused']],
    [[final, passing], 'DispatchFailed', ['refused', 'slow']],
    [[passing], 'DispatchFailed', ['slow']],
  ])('with the failures %j is %s', (failures, code, details) => {
    expect(dispatchError('billing', failures)).toMatchObject({
      code,
      facts: { destination: 'billing', failures: details },
    });
  });

  it('has the cause of the first failure', () => {
    const cause = new Error('no');
    expect(dispatchError('billing', [{ ...passing, cause }, final])).toHaveProperty('cause', cause);
  });
});

it.each([
  ['ThrottlingException', awsError('ThrottlingException'), true],
  ['ExpiredToken', awsError('ExpiredToken'), true],
  ['no answer', connectionLost(), true],
  ['AccessDenied', awsError('AccessDenied'), false],
])('a call that failed by %s would have failed with any message: %p', (_name, error, expected) => {
  expect(failsWithAny(error)).toBe(expected);
});

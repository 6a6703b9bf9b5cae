import { expect, it } from '@jest/globals';
import { gaveNoAnswer } from '../../../lib/kernel/errors/no-answer.ts';
import { awsError, connectionLost } from '../../support/faults.ts';

const withStatus = (httpStatusCode: number) =>
  Object.assign(awsError('Unknown'), { $metadata: { httpStatusCode } });
const withCode = (code: string) => Object.assign(new Error('socket'), { code });

it.each([
  ['a timeout', awsError('TimeoutError'), true],
  ['a timeout of the request', awsError('RequestTimeout'), true],
  ['a connection that breaks', connectionLost(), true],
  ['a name that is not found', withCode('ENOTFOUND'), true],
  ['a status of 503', withStatus(503), true],
  ['a status of 500', withStatus(500), true],
  ['a status of 499', withStatus(499), false],
  ['a refusal', awsError('AccessDenied'), false],
  ['an error of Node itself', withCode('ERR_INVALID_ARG_TYPE'), false],
  ['no error', 'TimeoutError', false],
])('%s: %p', (_case, error, expected) => {
  expect(gaveNoAnswer(error)).toBe(expected);
});

import { expect, it } from '@jest/globals';
import { SagaboxError } from '../../lib/core/errors.ts';
import { recoveryFailure } from '../../lib/flow/recovery-result.ts';

it.each([
  [new SagaboxError('TableNotFound', { tableNames: ['outbox'] }), 'TableNotFound', /outbox/],
  [new RangeError('out of it'), 'RangeError', /^out of it$/],
  ['a text', 'Error', /^a text$/],
  [undefined, 'Error', /^undefined$/],
])('a record that fails by %p is told with a code and a text', (error, code, message) => {
  expect(recoveryFailure('m1', error)).toEqual({
    messageId: 'm1',
    code,
    message: expect.stringMatching(message),
  });
});

import { expect, it } from '@jest/globals';
import { SagaboxError } from '../../lib/kernel/errors/errors.ts';
import { relayFailure } from '../../lib/relay/relay-result.ts';

it.each<[unknown, string, RegExp]>([
  [new SagaboxError('TableNotFound', { tableNames: ['outbox'] }), 'TableNotFound', /outbox/],
  [new RangeError('out of it'), 'RangeError', /^out of it$/],
  ['a string', 'Unknown', /^a string$/],
  [undefined, 'Unknown', /^undefined$/],
  [revoked(), 'Unknown', /^a value without a string form$/],
  [{ toString: throwing }, 'Unknown', /^a value without a string form$/],
  [Object.defineProperty(new Error('m'), 'name', { get: throwing }), 'a value without a string form', /^m$/],
  [
    new Proxy(new SagaboxError('TableNotFound', { tableNames: [] }), { get: throwing }),
    'a value without a string form',
    /./,
  ],
])('a record that fails %# is told with a code and a string', (error, code, message) => {
  expect(relayFailure('m1', error)).toEqual({
    messageId: 'm1',
    code,
    message: expect.stringMatching(message),
  });
});

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

function throwing(): never {
  throw undefined;
}

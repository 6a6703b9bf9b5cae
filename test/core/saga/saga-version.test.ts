import { expect, it } from '@jest/globals';
import type { SagaWrite, StoredSaga } from '../../../lib/core/saga/saga-state.ts';
import { nextSagaVersion, withSagaVersion } from '../../../lib/core/saga/saga-version.ts';
import { outgoingMessage } from '../../support/outgoing-messages.ts';

const storedAt = (version: number) => ({ revision: { version, commitId: 'c' } }) as StoredSaga;
const write = { kind: 'update' } as SagaWrite;
const cancellation = { id: 'c-1', cancels: 'out-0' };
const headers = { tenant: 'a', 'Sagabox.SagaVersion': '10' };

it.each([
  ['a new saga', undefined, 1],
  ['a stored one', storedAt(9), 10],
])('the next version of %s is one more', (_which, stored, next) => {
  expect(nextSagaVersion(stored)).toBe(next);
});

it.each<[string, StoredSaga | undefined, SagaWrite | undefined, string]>([
  ['a saga that is written', storedAt(9), write, '10'],
  ['a saga that is new, and completed at once', undefined, undefined, '10'],
  ['a saga that is left as it was', storedAt(9), undefined, '9'],
])('what %s sends has the version that the commit leaves', (_which, stored, written, version) => {
  const operations = [outgoingMessage({ headers }), cancellation];
  expect(withSagaVersion(operations, stored, written)).toEqual([
    outgoingMessage({ headers: { tenant: 'a', 'Sagabox.SagaVersion': version } }),
    cancellation,
  ]);
});

import { expect, it } from '@jest/globals';
import type { SagaWrite, StoredSaga } from '../../../lib/core/saga/saga-state.ts';
import { SAGA_VERSION_PLACE, withSagaVersion, writtenVersion } from '../../../lib/core/saga/saga-version.ts';
import { outgoingMessage } from '../../support/outgoing-messages.ts';

const storedAt = (version: number) => ({ revision: { version, commitId: 'c' } }) as StoredSaga;
const write = { kind: 'update' } as SagaWrite;

it.each<[string, StoredSaga | undefined, SagaWrite | undefined, number | undefined]>([
  ['a new saga', undefined, { kind: 'create' } as SagaWrite, 1],
  ['a stored one', storedAt(9), write, 10],
  ['one that is completed', storedAt(9), { kind: 'complete' } as SagaWrite, 10],
  ['one that is left as it was', storedAt(9), undefined, undefined],
  ['one that is new, and completed at once', undefined, undefined, undefined],
])('the version that a commit gives %s is one more, or none', (_which, stored, written, version) => {
  expect(writtenVersion(stored, written)).toBe(version);
});

const cancellation = { id: 'c-1', cancels: 'out-0' };
const withVersion = (version: string) =>
  outgoingMessage({ headers: { tenant: 'a', 'Sagabox.SagaVersion': version, last: 'z' } });

it('messages carry it with their place among the operations, where the place was kept', () => {
  const operations = [withVersion(SAGA_VERSION_PLACE), cancellation, withVersion(SAGA_VERSION_PLACE)];
  const versioned = withSagaVersion(operations, 10);
  expect(versioned).toEqual([withVersion('10.0'), cancellation, withVersion('10.2')]);
  expect(JSON.stringify(versioned[0])).toBe(JSON.stringify(withVersion('10.0')));
});

it('they carry none when the saga is not written', () => {
  const headers = { tenant: 'a', last: 'z' };
  const operations = [withVersion(SAGA_VERSION_PLACE), cancellation];
  expect(withSagaVersion(operations, undefined)).toEqual([outgoingMessage({ headers }), cancellation]);
});

it('messages of handlers without a saga get none', () => {
  expect(withSagaVersion([outgoingMessage()], 10)).toEqual([outgoingMessage()]);
});

it('no version takes more room than the place that is kept for it', () => {
  const longest = `${Number.MAX_SAFE_INTEGER}.${16 * 1024 * 1024}`;
  expect(SAGA_VERSION_PLACE.length).toBeGreaterThanOrEqual(longest.length);
});

import { expect, it } from '@jest/globals';
import type { SagaWrite } from '../../lib/saga/saga-state.ts';
import { writtenVersion } from '../../lib/saga/written-version.ts';
import { SAGA_VERSION_PLACE, withSagaVersion } from '../../lib/sending/saga-version.ts';
import { outgoingMessage } from '../support/outgoing-messages.ts';

const read = { version: 9, commitId: 'c' };

it.each<[string, Partial<SagaWrite>, number]>([
  ['a new saga', { kind: 'create' }, 1],
  ['a new saga that three messages changed', { kind: 'create', changes: 3 }, 3],
  ['a stored one', { kind: 'update', read }, 10],
  ['one that three messages changed', { kind: 'update', read, changes: 3 }, 12],
  ['one that is completed', { kind: 'complete', read }, 10],
])('the version that a write gives %s is one more for each message', (_which, write, version) => {
  expect(writtenVersion(write as SagaWrite)).toBe(version);
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

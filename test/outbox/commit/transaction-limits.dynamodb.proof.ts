import { expect, it } from '@jest/globals';
import { outboxWriteAsCommitted } from '../../support/commits.ts';
import { sagaboxErrorOf } from '../../support/error-of.ts';
import { outgoingMessage } from '../../support/outgoing-messages.ts';
import { denseText } from '../../support/random-text.ts';
import { storeForEachTest } from '../../support/test-store.ts';

const { faults, commit } = storeForEachTest();

it('a transaction counts the chunks of an outbox record that compression makes no smaller', async () => {
  const dense = [1, 2, 3, 4, 5].map((seed) => outgoingMessage({ body: denseText(1_000_000, seed) }));
  const outbox = outboxWriteAsCommitted('in-2', dense);
  expect(outbox.encoding).toBe('sb');
  faults.reset();
  const error = await sagaboxErrorOf(commit({ outbox }));
  expect(error.code).toBe('TransactionLimit');
  expect(error.facts).toMatchObject({ limit: 'bytes', maximum: 4 * 1024 * 1024 });
  expect(faults.operations).toEqual([]);
});

import type { Attempt, Lookup, Outbox } from '../../attempt/attempt.ts';
import { settled } from '../../kernel/async/settle.ts';
import type { Commit } from '../../outbox/commit.ts';
import { outboxWrite } from '../../outbox/record.ts';
import { sagaCheck } from '../../saga/combined-write.ts';
import { openSaga } from '../saga/open-saga.ts';
import { writeCommit } from '../write-commit.ts';
import { commitRecords } from './commit-records.ts';
import { findRecord } from './find-record.ts';
import { recordContent } from './record-content.ts';

/** Keeps an outbox record for each message, in the outbox table. */
export const recordsOutbox: Outbox = {
  isKept: true,
  isInSagaItem: false,

  async lookUp(attempt, correlated, queueEntry) {
    const base = queueEntry?.group?.base;
    const finding = findRecord(attempt, queueEntry);
    const opening =
      correlated &&
      settled(base ? Promise.resolve(base) : openSaga(attempt, correlated, finding, queueEntry));
    const found = await settled(finding);
    const openedSaga = opening && (await opening);
    const hasWaited = openedSaga?.status === 'fulfilled' && openedSaga.value.hasWaited;
    return hasWaited ? await lookUpAgain(attempt, openedSaga) : { found, openedSaga };
  },

  commit: commitRecords,

  async commitEmpty(attempt, openedSaga, lease) {
    const at = attempt.flow.ports.clock.now();
    const writes: Commit = {
      saga: openedSaga && sagaCheck(openedSaga),
      outbox: outboxWrite(recordContent(attempt, [], at)),
      transactionItems: [],
      at,
    };
    // Without a signal: an abandoned commit may still succeed, and the next delivery is a duplicate.
    await writeCommit(writes, [attempt]);
    await lease?.release();
  },

  openIgnored: async () => undefined,
};

/** Makes the dedup check once more: another delivery of the message may have had the lease, and have committed. */
async function lookUpAgain(attempt: Attempt, openedSaga: Lookup['openedSaga']): Promise<Lookup> {
  return { found: await settled(findRecord(attempt)), openedSaga };
}

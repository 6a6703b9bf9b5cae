import { type Commit, isEmpty, outboxWrite, type RecordContent, unstored } from '../core/outbox/commit.ts';
import { withSagaVersion } from '../core/saga/saga-version.ts';
import type { Handling } from './attempt.ts';
import { storeBodies } from './claim-check.ts';
import { dispatchAndMark } from './dispatch-and-mark.ts';
import { report } from './report.ts';
import { assertLatest } from './saga/assert-latest.ts';
import { assertTimeoutsReturn } from './saga/assert-timeouts-return.ts';

/** From a handler that returned to a message that may be acknowledged: commit, dispatch, mark. */
export async function complete(handling: Handling): Promise<void> {
  const { flow, delivery, message, fingerprint, work, draft, lease, signal, logger, meter } = handling;
  if (draft?.isCompleted) work.cancelTimeouts();
  work.seal();
  draft?.seal();
  const write = draft?.write();
  // At once: what the handler changes behind a promise that it did not await reaches no commit.
  const saga = write && flow.ports.committer.keep(write);
  for (const error of await work.settle(signal))
    logger.error('A message was not sent immediately', { error });
  if (draft) await assertTimeoutsReturn(handling, draft);
  const stored = await storeBodies(handling, work.operations);
  // Not before: an upload may take longer than a lease.
  await lease?.stopRenewing();
  delivery.assertOngoing();
  const operations = withSagaVersion(stored, draft?.opened.stored, saga);
  if (draft?.opened.mayBeOld && saga === undefined) await assertLatest(handling, draft.opened);

  const { endpoint, relayIndex } = flow;
  const at = flow.ports.clock.now();
  const { id: messageId } = message;
  const content: RecordContent = {
    endpoint,
    messageId,
    operations,
    storedAt: at,
    fingerprint,
    relayIndex,
  };
  const commit: Commit = {
    saga,
    outbox: flow.outbox ? outboxWrite(content) : undefined,
    transactionItems: work.transactionItems,
    at,
  };
  // It takes no signal: one that is waited for no longer may still be written, and the next delivery finds
  // its record.
  if (!isEmpty(commit)) await flow.ports.committer.commit(commit, meter);
  delivery.assertOngoing();
  if (saga === undefined) await lease?.release();
  if (operations.length > 0) {
    // Without a record the handler runs again, and may send other messages under the same ids.
    const kept = commit.outbox && { delivery };
    await dispatchAndMark(flow, commit.outbox ?? unstored(content), { meter, signal, ...kept });
  }
  await report(handling, 'handled', draft?.identity);
}

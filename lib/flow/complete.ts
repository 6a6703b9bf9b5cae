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
  // A snapshot at once: changes by code of the handler that nobody awaited reach no commit.
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
  // Without a signal: an abandoned commit may still succeed, and the next delivery finds its record.
  if (!isEmpty(commit)) await flow.ports.committer.commit(commit, meter);
  delivery.assertOngoing();
  if (saga === undefined) await lease?.release();
  if (operations.length > 0) {
    // Without an outbox record a retry runs the handler again, so its messages do not count as sent.
    const kept = commit.outbox && { delivery };
    await dispatchAndMark(flow, commit.outbox ?? unstored(content), { meter, signal, ...kept });
  }
  await report(handling, 'handled', draft?.identity);
}

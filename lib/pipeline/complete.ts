import type { OpenMessage, PreparedMessage } from '../attempt/attempt.ts';
import { report } from '../attempt/report.ts';
import { headerNames } from '../messages/headers.ts';
import type { DraftContributions } from '../saga/draft-contributions.ts';
import type { SagaWrite } from '../saga/saga-state.ts';
import { writtenVersion } from '../saga/written-version.ts';
import { withSagaVersion } from '../sending/saga-version.ts';
import { groupMember } from './commit-group.ts';
import { dispatchAndMark } from './dispatch.ts';
import { commitAlone } from './outbox/commit-alone.ts';
import { assertTimeoutsReturn } from './saga/assert-timeouts-return.ts';
import { assertReadable } from './saga/read-state.ts';
import { untilSentAhead } from './saga/sends-ahead.ts';
import { settleWork, storeBodies } from './work.ts';

/** Completes a message whose handler has returned, so that it may be acknowledged: commit, dispatch, mark. */
export async function complete(opened: OpenMessage): Promise<void> {
  const { flow, delivery, work, draft, queueEntry, signal, meter } = opened;
  const write = seal(opened);
  const settling = settleWork(opened);
  if (settling !== undefined) await settling;
  if (draft) await assertTimeoutsReturn(opened, draft);
  if (write && flow.saga?.stateSchema) await assertReadable(opened, flow.saga, write);
  const stored = flow.ports.claimChecks ? await storeBodies(opened, work.operations) : work.operations;
  const hasVersion = write && flow.ports.sagas.hasVersions !== false;
  const operations = withSagaVersion(stored, hasVersion ? writtenVersion(write) : undefined);
  const prepared: PreparedMessage = { opened, write, operations };
  delivery.assertOngoing();
  delivery.result.noteStateNeedsNoCheck();
  const record = await (draft && queueEntry?.sharing
    ? queueEntry.join(groupMember(prepared, draft, queueEntry.sharing))
    : commitAlone(prepared));
  delivery.assertOngoing();
  if (record.operations.length > 0) {
    await untilSentAhead(opened, queueEntry, record);
    delivery.batch?.assertInOrder(record.messageId);
    // Without an outbox record a retry runs the handler again, so its messages do not count as sent.
    await dispatchAndMark(flow, record, { meter, signal, ...(flow.outbox.isKept && { delivery }) });
  }
  queueEntry?.noteSent();
  await report(opened, 'handled', draft?.identity);
}

/** Seals the draft and the unit of work: from here on the handler can change nothing of the commit. */
function seal(opened: OpenMessage): SagaWrite | undefined {
  const { flow, work, draft } = opened;
  if (draft?.isCompleted) work.cancelTimeouts();
  if (draft?.contributions) askAgain(opened, draft.contributions);
  work.seal();
  draft?.seal();
  const write = draft?.write();
  // A snapshot at once: code of the handler that nobody awaited cannot change the commit.
  return write && flow.ports.committer.snapshot(write);
}

/** Requests the message again for the remaining contributions, as a timeout, which ends with its saga. */
function askAgain({ work, message }: OpenMessage, contributions: DraftContributions): void {
  const { unfinishedKeys, messageBody } = contributions;
  if (unfinishedKeys.length === 0) return;
  work.requestAtOnce(message.type, messageBody, { [headerNames.continues]: unfinishedKeys.join('#') });
}

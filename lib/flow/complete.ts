import { type Commit, isEmpty, outboxWrite } from '../core/commit.ts';
import type { Handling } from './attempt.ts';
import { dispatchAndMark } from './dispatch-and-mark.ts';
import { depositBodies } from './put-aside.ts';
import { report } from './report.ts';

/** From a handler that returned to a message that may be acknowledged: commit, dispatch, mark. */
export async function complete(handling: Handling): Promise<void> {
  const { flow, message, work, draft, lease, meter } = handling;
  work.seal();
  await work.settle();
  await lease?.stopRenewing();
  if (draft?.isCompleted) work.cancelTimeouts();

  const at = flow.ports.clock.now();
  const operations = await depositBodies(flow, work.operations);
  const record = outboxWrite({ endpoint: flow.endpoint, messageId: message.id, operations, storedAt: at });
  const commit: Commit = {
    saga: draft?.write(),
    outbox: flow.outbox ? record : undefined,
    transactionItems: work.transactionItems,
    at,
  };
  if (!isEmpty(commit)) await flow.ports.committer.commit(commit, meter);
  if (!commit.saga) await lease?.release();
  if (!record.dispatched) await dispatchAndMark(flow, record, meter);
  await report(handling, 'handled', draft?.identity);
}

import type { PreparedMessage } from '../../attempt/attempt.ts';
import { type Commit, isEmpty } from '../../outbox/commit.ts';
import type { OutboxRecord } from '../../outbox/record.ts';
import { writeCommit } from '../write-commit.ts';
import { writesOf } from './commit-records.ts';

/**
 * Commits one message. Without a saga there is nothing to combine, to check or to release.
 *
 * @param keepsLease as {@link Outbox.commit}
 */
export async function commitAlone(prepared: PreparedMessage, keepsLease = false): Promise<OutboxRecord> {
  const { opened } = prepared;
  const { outbox: to, ports } = opened.flow;
  if (opened.draft) return (await to.commit([prepared], keepsLease))[0] as OutboxRecord;
  const at = ports.clock.now();
  const { outbox, transactionItems, record } = writesOf(prepared, at);
  const commit: Commit = { saga: undefined, outbox, transactionItems, at };
  // Without a signal: an abandoned commit may still succeed, and the next delivery finds its record.
  if (!isEmpty(commit)) await writeCommit(commit, [opened]);
  return record;
}

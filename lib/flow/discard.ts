import { beforeAbort } from '../core/before-abort.ts';
import { outboxWrite } from '../core/commit.ts';
import { type IncomingMessage, usersMessage } from '../core/message.ts';
import { messageFacts, messageLogger } from '../core/message-logger.ts';
import type { OpenedSaga, SagaCheck } from '../core/saga-state.ts';
import type { Attempt, LeaseInHand } from './attempt.ts';
import { report } from './report.ts';
import { isTimeout } from './timeouts.ts';
import { writeCommit } from './write-commit.ts';

/**
 * Ends a message that no saga waits for. That is a commit too: an empty record, under the condition that the saga is still absent, or as
 * it was read. Without the record, another delivery of the message that is still in its handler could commit after this one was
 * acknowledged, and nobody would send what it stored; without the condition, a saga that a read beside a transaction did not show yet
 * would miss its message.
 *
 * Without an outbox no record can exist: the message is acknowledged as it is.
 */
export async function discard(
  attempt: Attempt,
  message: IncomingMessage,
  opened: OpenedSaga,
  lease: LeaseInHand | undefined,
): Promise<undefined> {
  const { flow, fingerprint } = attempt;
  const { endpoint, recoveryIndex } = flow;
  try {
    await tellOf(attempt, message, opened);
    const at = flow.ports.clock.now();
    const content = {
      endpoint,
      messageId: message.id,
      operations: [],
      storedAt: at,
      fingerprint,
      recoveryIndex,
    };
    const commit = { saga: checkOf(opened), outbox: outboxWrite(content), transactionItems: [], at };
    if (flow.outbox) await writeCommit(attempt, commit);
  } finally {
    await lease?.stopRenewing();
    await lease?.release();
  }
  return await report(attempt, 'discarded', opened.identity);
}

function checkOf({ identity: saga, stored, lease }: OpenedSaga): SagaCheck {
  return { kind: 'check', saga, read: stored?.revision, leaseOwner: lease?.owner };
}

/** A timeout that its saga no longer waits for is no surprise; any other message that finds no saga is one. */
async function tellOf(attempt: Attempt, message: IncomingMessage, { identity }: OpenedSaga): Promise<void> {
  const { flow, signal } = attempt;
  const logger = messageLogger(flow.logger, messageFacts(flow.endpoint, message, identity));
  if (isTimeout(message)) {
    logger.debug?.('A timeout is discarded: its saga does not wait for it any more', {});
    return;
  }
  const { onSagaNotFound } = flow.hooks;
  if (onSagaNotFound) await beforeAbort(onSagaNotFound(usersMessage(message)), signal);
  else logger.warn('A message is discarded: it starts no saga, and finds none', {});
}

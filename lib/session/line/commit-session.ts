import type { OpenMessage } from '../../attempt/attempt.ts';
import { report } from '../../attempt/report.ts';
import { backoffDelayMs } from '../../kernel/async/retry-with-backoff.ts';
import { settled } from '../../kernel/async/settle.ts';
import { isRetryable, isSagaboxError, SagaboxError } from '../../kernel/errors/errors.ts';
import { headerNames } from '../../messages/headers.ts';
import { isCancellation, type JsonValue } from '../../messages/message.ts';
import type { Commit } from '../../outbox/commit.ts';
import { type OutboxRecord, type OutboxWrite, outboxWrite, type SessionWrite } from '../../outbox/record.ts';
import {
  isStreamed,
  responseJson,
  type StoredResponse,
  statusOf,
  storedResponse,
} from '../../outbox/stored-response.ts';
import { recordContent } from '../../pipeline/outbox/record-content.ts';
import { settleWork, storeBodies } from '../../pipeline/work.ts';
import { writeCommit } from '../../pipeline/write-commit.ts';
import { dispatchSession } from './dispatch-session.ts';
import { openRequest } from './open-request.ts';
import { replay } from './replay.ts';
import type { Answer, SessionAttempt } from './session-attempt.ts';

export type SessionTransaction = OpenMessage & SessionAttempt;

/** How long to wait before the commit is tried again. */
const backoff = { baseDelayMs: 50, maxDelayMs: 2000 };

/** The limit of retries where no deadline ends them, as outside of Lambda. */
const MAX_RETRIES = 20;

/**
 * Completes a session whose handler has returned: commit, dispatch, mark.
 *
 * @throws SagaboxError `ResponseNotCommitted` for a response that is not to be committed,
 *   `ResponseNotStorable`; the errors of the commit
 */
export async function commitSession(transaction: SessionTransaction, response: unknown): Promise<Answer> {
  const { flow, work, request, rules, delivery } = transaction;
  work.seal();
  await settleWork(transaction);
  const statusCode = request.http && statusOf(response);
  if (statusCode !== undefined && !rules.commitsStatus(statusCode))
    throw new SagaboxError('ResponseNotCommitted', { statusCode });

  // The answer is that of a repeated request, with or without a key; only a stream is returned as it is.
  const json = !request.isRepeatable && isStreamed(response) ? undefined : responseJson(response);
  const answer: Answer = { response: json === undefined ? response : JSON.parse(json) };
  delivery.assertOngoing();
  const operations = await storeBodies(transaction, work.operations);
  const kept = request.isRepeatable ? await keptResponse(transaction, json) : undefined;
  const isEmpty = operations.length === 0 && work.transactionItems.length === 0;
  if (isEmpty && !request.isRepeatable) {
    await report(transaction, 'handled');
    return answer;
  }
  const at = flow.ports.clock.now();
  const outbox = outboxWrite({
    ...recordContent(transaction, operations, at),
    response: kept,
    session: sessionWrite(transaction),
  });
  const record = await storeUntilKnown(transaction, outbox, at);
  // A record of the same millisecond may be of another request: then both send it, under the same ids.
  const isOwn = record.storedAt.getTime() === at.getTime();
  if (request.isRepeatable && record !== outbox) return await replay(transaction, record, isOwn);
  if (!isOwn)
    throw new SagaboxError('DuplicateMessage', { endpoint: flow.endpoint, messageId: record.messageId });
  const isSent = await dispatchSession(transaction, record);
  await report(transaction, isSent ? 'handled' : 'leftToRelay');
  return answer;
}

/** Whether the error is final: no retry helps, or another request still has the key after the wait. */
function isDecided(error: unknown): boolean {
  return !isRetryable(error) || (isSagaboxError(error) && error.code === 'RequestInProgress');
}

function sessionWrite({ exclusive }: SessionTransaction): SessionWrite {
  return exclusive ? { leaseOwner: exclusive.owner } : {};
}

/** The response for the record; a claim check is stored before the commit, so that no record lacks it. */
async function keptResponse(
  transaction: SessionTransaction,
  json: string | undefined,
): Promise<StoredResponse | undefined> {
  if (json === undefined) return undefined;
  const { flow, received, request } = transaction;
  if (flow.ports.claimChecks) {
    const body = JSON.parse(json) as JsonValue;
    const asMessage = { id: received.id, destination: '', type: request.type, headers: {}, body };
    const [stored] = await storeBodies(transaction, [asMessage]);
    const claimCheck = stored && !isCancellation(stored) && stored.headers[headerNames.claimCheck];
    if (claimCheck) return { claimCheck };
  }
  return storedResponse(json);
}

/**
 * Commits, and after a refusal or a call without an answer finds out who has: this request, or another one
 * with its id. No redelivery would do that, so the retries go on until the deadline. The commit is safe to
 * repeat: it is refused once there is a record.
 *
 * @returns the record that is stored: another one than `outbox` if the answer got lost, or another request
 *   was faster
 */
async function storeUntilKnown(
  transaction: SessionTransaction,
  outbox: OutboxWrite,
  at: Date,
): Promise<OutboxRecord> {
  const { flow, work, delivery, rules, signal } = transaction;
  const commit: Commit = { saga: undefined, outbox, transactionItems: work.transactionItems, at };
  const { deadline } = delivery;
  for (let retries = 0; ; retries += 1) {
    // Without a signal: an abandoned commit may still succeed, and a repeated request finds its record.
    const stored = await settled(writeCommit(commit, [transaction]));
    // Once the invocation has answered, a late answer starts nothing: the next request finds the record.
    delivery.assertOngoing();
    if (stored.status === 'fulfilled') return outbox;
    const { reason } = stored;
    if (!isRetryable(reason)) throw reason;
    const found = await settled(openRequest(transaction));
    delivery.assertOngoing();
    if (found.status === 'fulfilled' && found.value) return found.value;
    if (found.status === 'rejected' && isDecided(found.reason)) throw found.reason;
    if (deadline.remainingMs === Number.POSITIVE_INFINITY && retries >= MAX_RETRIES) throw reason;
    await flow.ports.clock.sleep(backoffDelayMs(retries, backoff, rules.random()), signal);
    if (signal.aborted) throw reason;
  }
}

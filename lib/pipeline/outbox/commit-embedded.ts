import type { Attempt } from '../../attempt/attempt.ts';
import { isSagaboxError } from '../../kernel/errors/errors.ts';
import type { OutgoingOperation } from '../../messages/message.ts';
import type { Commit } from '../../outbox/commit.ts';
import type { EmbeddedSagas } from '../../outbox/embedded/embedded-sagas.ts';
import {
  type EmbeddedContent,
  embeddedCommit,
  embeddedLimits,
} from '../../outbox/embedded/embedded-write.ts';
import type { OutboxRecord, OutboxWrite } from '../../outbox/record.ts';
import type { OpenedSaga, SagaCheck, SagaWrite } from '../../saga/saga-state.ts';
import { assertOngoing, writeCommit } from '../write-commit.ts';
import { recordContent } from './record-content.ts';

/**
 * Commits messages of one saga with one write of its item, which also releases the lease.
 *
 * @param openedSaga the saga that all messages rest on
 * @param saga `undefined` if no message changed its state
 * @returns the record of each message, to be dispatched
 */
export async function commitEmbedded(
  embeddedSagas: EmbeddedSagas,
  openedSaga: OpenedSaga,
  saga: SagaWrite | SagaCheck | undefined,
  messages: readonly EmbeddedOutput[],
): Promise<readonly OutboxRecord[]> {
  const attempts = messages.map(({ attempt }) => attempt);
  assertOngoing(attempts);
  const { limits } = embeddedSagas;
  const { flow } = attempts[0] as Attempt;
  const { endpoint, saga: rules, deduplicationPeriodSeconds } = flow;
  const at = flow.ports.clock.now();
  const content: EmbeddedContent = {
    endpoint,
    form: rules?.outbox?.form,
    openedSaga,
    saga,
    messages: messages.map(({ attempt, operations = [] }) => ({
      type: attempt.received.type,
      content: recordContent(attempt, operations, at),
    })),
    at,
    deduplicationPeriodSeconds,
    newSalt: () => embeddedSagas.newSalt(),
    limits,
  };
  try {
    return await storeContent(content, messages);
  } catch (error) {
    // The store measures the new state, and wrote nothing. The retry puts outgoing messages into records.
    if (!(isSagaboxError(error) && error.code === 'ItemTooLarge')) throw error;
    return await storeContent({ ...content, limits: { ...(limits ?? embeddedLimits), bytes: 0 } }, messages);
  }
}

async function storeContent(
  content: EmbeddedContent,
  messages: readonly EmbeddedOutput[],
): Promise<readonly OutboxRecord[]> {
  const { at } = content;
  const { embedded, outboxes } = embeddedCommit(content);
  const [first, ...following] = messages.map(({ attempt, transactionItems = [] }, index) => ({
    outbox: outboxes[index] as OutboxWrite,
    transactionItems,
    meter: attempt.meter,
  }));
  if (first === undefined) return [];
  const ofOthers = following.length > 0 && { following };
  const commit: Commit = { ...first, saga: undefined, embedded, at, ...ofOthers };
  // Without a signal: an abandoned commit may still succeed, and the next delivery finds it.
  await writeCommit(
    commit,
    messages.map(({ attempt }) => attempt),
  );
  return outboxes;
}

/** The output of a message, without the write of its saga. */
export interface EmbeddedOutput {
  readonly attempt: Attempt;
  readonly operations?: readonly OutgoingOperation[];
  readonly transactionItems?: Commit['transactionItems'];
}

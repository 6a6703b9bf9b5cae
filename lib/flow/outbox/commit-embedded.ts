import { type EmbeddedContent, embeddedCommit, embeddedLimits } from '../../core/embedded/embedded-write.ts';
import { isSagaboxError } from '../../core/failures/errors.ts';
import type { OutgoingOperation } from '../../core/incoming/message.ts';
import type { Commit } from '../../core/outbox/commit.ts';
import type { OutboxRecord, OutboxWrite } from '../../core/outbox/record.ts';
import type { OpenedSaga, SagaCheck, SagaWrite } from '../../core/saga/saga-state.ts';
import type { EmbeddedSagas } from '../../ports.ts';
import type { Attempt } from '../attempt.ts';
import { assertOngoing, recordContent, store } from '../store.ts';

/**
 * Writes what messages of one saga did into its item, in one write that gives back its lease, too.
 *
 * @param opened what all of them rest on
 * @param saga undefined if none changed its state
 * @returns the record of each, to be dispatched
 */
export async function commitEmbedded(
  embeddedSagas: EmbeddedSagas,
  opened: OpenedSaga,
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
    opened,
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
    // Its new state is measured there. Nothing was written.
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
  await store(
    commit,
    messages.map(({ attempt }) => attempt),
  );
  return outboxes;
}

/** What a message leaves, beside what it does to its saga. */
export interface EmbeddedOutput {
  readonly attempt: Attempt;
  readonly operations?: readonly OutgoingOperation[];
  readonly transactionItems?: Commit['transactionItems'];
}

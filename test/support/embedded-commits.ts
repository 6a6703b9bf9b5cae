import { randomBytes } from 'node:crypto';
import { CapacityMeter } from '../../lib/dynamodb/capacity-meter.ts';
import { type SagaIdentity, sagaKey } from '../../lib/dynamodb/keys.ts';
import type { OutgoingOperation } from '../../lib/messages/message.ts';
import type { Commit } from '../../lib/outbox/commit.ts';
import { embeddedItem } from '../../lib/outbox/embedded/embedded-item.ts';
import { embeddedCommit } from '../../lib/outbox/embedded/embedded-write.ts';
import { SALT_BYTES } from '../../lib/outbox/embedded/salted-hash.ts';
import type { RecordReference } from '../../lib/outbox/record.ts';
import type { OpenedSaga } from '../../lib/saga/saga-state.ts';
import { at, commitOf } from './commits.ts';
import { DEDUPLICATION_SECONDS, type RelayStores } from './relay-subject.ts';

export interface CommittedMessage {
  readonly messageId: string;
  readonly operations: readonly OutgoingOperation[];
  readonly endpoint?: string;
  /** @default - a saga of the endpoint */
  readonly saga?: SagaIdentity;
  /** Whether it leaves a tombstone. */
  readonly ends?: boolean;
  readonly committedAt?: Date;
}

/** The saga with an embedded outbox of an endpoint of these tests. */
export const embeddedSaga = (endpoint = 'orders'): SagaIdentity => ({ name: 'Embedded', id: endpoint });

/** A saga as a handler finds it. */
export async function openEmbedded(
  { sagas }: Pick<RelayStores, 'sagas'>,
  identity: SagaIdentity = embeddedSaga(),
): Promise<OpenedSaga> {
  const { stored, item } = await sagas.load(identity, new CapacityMeter(), 'all');
  return { identity, stored, item, lease: undefined };
}

/** Which entry of an item is that of a message, or would be. */
export async function entryOf(
  stores: Pick<RelayStores, 'sagas'>,
  messageId: string,
  identity: SagaIdentity = embeddedSaga(),
): Promise<RecordReference> {
  const { item } = await openEmbedded(stores, identity);
  const { partition } = sagaKey(identity);
  return { messageId, sagaItem: { partition, key: embeddedItem(item)?.inbox?.keyOf(messageId) ?? 'none' } };
}

/** What a handler of a message commits to the saga that it found: a state that tells the message. */
export function commitToOpened(opened: OpenedSaga, message: CommittedMessage): Commit {
  const { messageId, operations, endpoint = 'orders', ends = false, committedAt = at } = message;
  const { identity: saga, stored } = opened;
  const state = { saga, state: { handled: messageId }, timeouts: [] };
  const change = stored
    ? ({ ...state, kind: 'update', read: stored.revision, createdAt: stored.createdAt } as const)
    : ({ ...state, kind: 'create' } as const);
  const commit = embeddedCommit({
    endpoint,
    openedSaga: opened,
    saga: ends ? stored && { kind: 'complete', saga, read: stored.revision } : change,
    messages: [{ type: 'OrderPlaced', content: { endpoint, messageId, operations, storedAt: committedAt } }],
    at: committedAt,
    deduplicationPeriodSeconds: DEDUPLICATION_SECONDS,
    newSalt: () => randomBytes(SALT_BYTES),
  });
  const [outbox] = commit.outboxes;
  return commitOf({ embedded: commit.embedded, outbox, at: committedAt });
}

/** A message of a saga with an embedded outbox, as its handler would commit it. */
export async function commitToSaga(
  stores: Pick<RelayStores, 'committer' | 'sagas'>,
  message: CommittedMessage,
): Promise<void> {
  const opened = await openEmbedded(stores, message.saga ?? embeddedSaga(message.endpoint));
  await stores.committer.commit(commitToOpened(opened, message), new CapacityMeter());
}

import { embeddedCommit } from '../../lib/core/embedded/embedded-write.ts';
import type { OutgoingOperation } from '../../lib/core/incoming/message.ts';
import { CapacityMeter } from '../../lib/core/storage/capacity-meter.ts';
import type { SagaIdentity } from '../../lib/core/storage/keys.ts';
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

/** A message of a saga with an embedded outbox, as its handler would commit it. */
export async function commitToSaga(
  { committer, sagas }: Pick<RelayStores, 'committer' | 'sagas'>,
  { messageId, operations, endpoint = 'orders', ends = false, ...others }: CommittedMessage,
): Promise<void> {
  const { saga = embeddedSaga(endpoint), committedAt = at } = others;
  const meter = new CapacityMeter();
  const { stored, item } = await sagas.load(saga, meter, 'all');
  const state = { saga, state: { handled: messageId }, timeouts: [] };
  const change = stored
    ? ({ ...state, kind: 'update', read: stored.revision, createdAt: stored.createdAt } as const)
    : ({ ...state, kind: 'create' } as const);
  const commit = embeddedCommit({
    endpoint,
    opened: { identity: saga, stored, item, lease: undefined },
    saga: ends ? stored && { kind: 'complete', saga, read: stored.revision } : change,
    messages: [{ type: 'OrderPlaced', content: { endpoint, messageId, operations, storedAt: committedAt } }],
    at: committedAt,
    deduplicationPeriodSeconds: DEDUPLICATION_SECONDS,
  });
  const [outbox] = commit.outboxes;
  await committer.commit(commitOf({ embedded: commit.embedded, outbox, at: committedAt }), meter);
}

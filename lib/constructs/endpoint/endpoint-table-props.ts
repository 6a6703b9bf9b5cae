import type { LockingMode } from '../../saga/definition/locking.ts';
import type { AnyTable } from '../construct-types.ts';
import type { LeadingKeys } from '../tables/leading-keys.ts';

/** The tables of an endpoint that handles messages, and what it does in them. */
export interface EndpointTableProps {
  /**
   * A {@link SagaTable}, a {@link MessagingTable}, or any table whose partition key and sort key are strings.
   * The endpoint reads the names of its keys and TTL attribute from a table of the app. Import any other
   * table with {@link SagaTable.fromTableAttributes}.
   *
   * @default - none: the endpoint has no sagas
   */
  readonly sagaTable?: AnyTable;

  /**
   * An {@link OutboxTable}, a {@link MessagingTable}, or any table as for `sagaTable`. It can be the
   * `sagaTable`.
   *
   * @default - none: the handlers need `outbox: false`, of which synth warns beside a `sagaTable`
   */
  readonly outboxTable?: AnyTable;

  /**
   * The locking mode of handlers that do not set one, `'optimistic'` or `'pessimistic'`.
   *
   * @default 'optimistic'
   */
  readonly locking?: LockingMode;

  /**
   * Whether a saga of the endpoint has `outbox: embeddedOutbox()`. The function is then allowed what such sagas need of
   * the `sagaTable`, and an {@link OutboxRelay} of the endpoint searches that table too. Without it, the function
   * refuses the messages of such a saga. It needs a `sagaTable` with a TTL attribute, and an `outboxTable`: a saga whose
   * item is full has outbox records.
   *
   * @default false
   */
  readonly embeddedOutbox?: boolean;

  /**
   * Restricts the permissions on the tables, by `dynamodb:LeadingKeys`, to the records of this endpoint and
   * the sagas with these names. Not shown on AWS for transactions, which most commits are: try it there
   * before you rely on it.
   *
   * @default - none: the function may access all items of its tables
   */
  readonly leadingKeys?: LeadingKeys;

  /**
   * Accepts a global table with eventual consistency, of which only the region of this endpoint writes. If
   * two regions write, the last writer wins, and neither deduplication nor versions hold. After a failover
   * the other region may hold half a transaction.
   *
   * @default false
   */
  readonly singleWriterRegion?: boolean;
}

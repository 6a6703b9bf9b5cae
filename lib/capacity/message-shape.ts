/** What a message is like, as far as its cost depends on it. Sizes are bytes by DynamoDB's rules. */
export interface MessageShape {
  /**
   * Bytes of the saga's item as it is stored without compression, with outbox records (what an embedded outbox
   * adds is computed); 0 for handlers without a saga.
   *
   * @default 0
   */
  readonly sagaBytes?: number;
  /**
   * Bytes of the saga's item with a compressed state, per byte of it without. As in a run, an item is compressed
   * only if that saves write units.
   *
   * @default 1
   */
  readonly sagaCompressionRatio?: number;
  /** @default 'update', or 'none' for a message that appends */
  readonly sagaChange?: 'create' | 'update' | 'complete' | 'none';
  /**
   * `eventual` is optimistic with eventually consistent loads.
   *
   * @default 'optimistic'
   */
  readonly locking?: 'optimistic' | 'eventual' | 'pessimistic';
  /**
   * Attempts at the lease, the one that gets it included; in pessimistic mode only. It may be an average.
   *
   * @default 1
   */
  readonly lockAttempts?: number;
  /** @default true */
  readonly outbox?: boolean;
  /**
   * Where the outbox is: `records` has an outbox record for each message, `embedded` an outbox in the item of its
   * saga (`defineSaga({ outbox: embeddedOutbox() })`).
   *
   * @default 'records'
   */
  readonly layout?: 'records' | 'embedded';
  /**
   * Messages that a saga has handled within the deduplication period, before this one: the item of a saga with
   * an embedded outbox holds their ids. It may be an average.
   *
   * @default 10
   */
  readonly liveIds?: number;
  /**
   * Values that the handler adds with `saga.append`. It writes no saga, and takes no lease.
   *
   * @default 0
   */
  readonly appended?: number;
  /**
   * Values that the handler takes with `saga.collect`, up to 90. It updates or completes its saga.
   *
   * @default 0
   */
  readonly collected?: number;
  /**
   * Bytes of the item of one such value.
   *
   * @default 300
   */
  readonly contributionBytes?: number;
  /** @default 0 */
  readonly outgoing?: number;
  /**
   * Bytes of one outgoing message as JSON: body, headers, id, type and destination. An outbox record keeps
   * less of it: what all of its messages share, it has once.
   *
   * @default 500
   */
  readonly messageBytes?: number;
  /**
   * Queues that the outgoing messages are spread over evenly.
   *
   * @default 1
   */
  readonly destinations?: number;
  /**
   * Compressed bytes per byte, of all outgoing messages of one handler together, as their record keeps them.
   *
   * @default 1
   */
  readonly compressionRatio?: number;
  /**
   * Share of the deliveries that are duplicates of what was handled before, from 0 to below 1.
   *
   * @default 0
   */
  readonly duplicateRate?: number;
  /**
   * Share of the attempts that end in a conflict and are repeated, from 0 to 0.99.
   *
   * @default 0
   */
  readonly conflictRate?: number;
  /**
   * Bytes of the outbox record of a message that sends nothing.
   *
   * @default 216
   */
  readonly metadataBytes?: number;
}

/** One step of the way of a message. Sums of the calls that it makes. */
export interface PlannedStep {
  readonly step:
    | 'dedup check'
    | 'load'
    | 'lock'
    | 'collect'
    | 'commit'
    | 'release'
    | 'dispatch'
    | 'mark'
    | 'clear';
  /** Such as `TransactWriteItems`; of steps that share a call, one counts it. */
  readonly operation: string;
  readonly calls: number;
  /** Items read or written, or messages sent. */
  readonly items: number;
  readonly rcu: number;
  readonly wcu: number;
  /**
   * Of `wcu`, what writes take that a condition refuses: as much as if they were made. No engine reports it.
   * Left out when that is 0.
   */
  readonly refusedWcu?: number;
  /** The table that takes the units; `undefined` for the queue. */
  readonly table: 'saga' | 'outbox' | undefined;
}

export interface CapacityUnitsPlan {
  readonly rcu: number;
  readonly wcu: number;
}

/** What one delivery of a message takes: its steps, and their sums. */
export interface DeliveryPlan extends CapacityUnitsPlan {
  readonly calls: number;
  readonly steps: readonly PlannedStep[];
}

/** What one message takes. */
export interface MessagePlan {
  /** The steps of one new message that meets no conflict. */
  readonly steps: readonly PlannedStep[];
  /** The sums of the steps. */
  readonly newMessage: CapacityUnitsPlan & { readonly calls: number };
  /** A duplicate of a handled message. Without an outbox it is handled again, as a new one. */
  readonly duplicate: DeliveryPlan;
  /** A delivery after a crash between commit and mark. Without an outbox it is handled again. */
  readonly redispatch: DeliveryPlan;
  /** An attempt whose handler fails: nothing is committed, and a lease is given back. */
  readonly failedHandler: DeliveryPlan;
  /** A message that no saga waits for: an empty record is committed, with a check that the saga is absent. */
  readonly discard: DeliveryPlan;
  /** Expected of one delivery, with conflicts and duplicates as the shape says: fractions are averages. */
  readonly perMessage: CapacityUnitsPlan & {
    readonly calls: number;
    /** Of `wcu`, what refused writes take: attempts at a lease, and conflicts. Left out when that is 0. */
    readonly refusedWcu?: number;
  };
  /** The same for each table; a table for both takes the sum of `saga` and `outbox`. */
  readonly perTable: {
    readonly saga: CapacityUnitsPlan;
    readonly outbox: CapacityUnitsPlan;
  };
  /** Bytes of the items that the outbox keeps until the dispatch: the record, then its chunks. None if it is embedded. */
  readonly storedItemBytes: readonly number[];
  /**
   * Bytes of the record once it is dispatched, which is kept for the deduplication period; of the id in the inbox
   * if the outbox is embedded.
   */
  readonly dispatchedRecordBytes: number;
}

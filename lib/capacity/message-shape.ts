/** What a message is like, as far as its cost depends on it. Sizes are bytes by DynamoDB's rules. */
export interface MessageShape {
  /**
   * Bytes of the saga's item as it is stored; 0 for handlers without a saga.
   *
   * @default 0
   */
  readonly sagaBytes?: number;
  /**
   * What the handler does with its saga.
   *
   * @default 'update'
   */
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
   * `packed` is sagabox's. `itemized` is the published layout of NServiceBus.Persistence.DynamoDB: an item
   * for each outgoing message.
   *
   * @default 'packed'
   */
  readonly layout?: 'packed' | 'itemized';
  /**
   * Outgoing messages.
   *
   * @default 0
   */
  readonly outgoing?: number;
  /**
   * Bytes of one outgoing message as it is kept in the outbox: body and headers, uncompressed.
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
   * Compressed bytes of all outgoing messages of one handler together, per uncompressed byte; 1 for what does
   * not compress.
   *
   * @default 1
   */
  readonly compressionRatio?: number;
  /**
   * Whether the table has the sparse index of the relay.
   *
   * @default false
   */
  readonly relayIndex?: boolean;
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
   * Bytes of the outbox item that holds no messages: the whole record of a message that sends nothing, or the
   * metadata item of the itemized layout.
   *
   * @default 216 packed, 300 itemized
   */
  readonly metadataBytes?: number;
}

/** One step of the way of a message. Sums of the calls that it makes. */
export interface PlannedStep {
  readonly step: 'dedup check' | 'load' | 'lock' | 'commit' | 'release' | 'dispatch' | 'mark' | 'clear';
  /**
   * The operation of the service, such as `TransactWriteItems`; steps that share a call name the same one,
   * and one of them counts it.
   */
  readonly operation: string;
  readonly calls: number;
  /** Items read or written, or messages sent. */
  readonly items: number;
  readonly rcu: number;
  readonly wcu: number;
  /** Of `wcu`, what the relay index takes instead of its table; left out when that is nothing. */
  readonly indexWcu?: number;
  /** The table that takes the units; nothing for the queue. */
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
  /** What a duplicate of a handled message takes. Without an outbox it is handled again, as a new one. */
  readonly duplicate: DeliveryPlan;
  /**
   * What a message takes that is delivered again after a crash between its commit and its mark. Without an
   * outbox it is handled again.
   */
  readonly redispatch: DeliveryPlan;
  /** What an attempt takes whose handler fails: nothing is committed, and a lease is given back. */
  readonly failedHandler: DeliveryPlan;
  /**
   * What a message takes that no saga waits for: it is committed with an empty record, and a check that the
   * saga is absent.
   */
  readonly discard: DeliveryPlan;
  /** Expected of one delivery, with conflicts and duplicates as the shape says: fractions are averages. */
  readonly perMessage: CapacityUnitsPlan & { readonly calls: number };
  /**
   * The same for each table; with one table for both, its units are the sum of `saga` and `outbox`. The relay
   * index has capacity of its own, and its units are in none of these: 0 without the index.
   */
  readonly perTable: {
    readonly saga: CapacityUnitsPlan;
    readonly outbox: CapacityUnitsPlan;
    readonly index: CapacityUnitsPlan;
  };
  /**
   * Bytes of the items that the outbox keeps of the message until its dispatch: the record, then its chunks.
   */
  readonly storedItemBytes: readonly number[];
  /** Bytes of the record once it is dispatched, which is kept for the deduplication period. */
  readonly dispatchedRecordBytes: number;
}

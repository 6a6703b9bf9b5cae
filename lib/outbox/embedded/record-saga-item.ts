/** The place of a record that has no item of its own: an entry in the item of its saga. */
export interface RecordSagaItem {
  /** The partition key of the item, from which the id of a saga cannot always be told. */
  readonly partition: string;
  /** The key of the entry among the pending ones. */
  readonly key: string;
  /** Whether the item was a tombstone when the record was read or written. The mark may find it changed. */
  readonly isTombstone: boolean;
  /** The number of pending entries then. The mark may find fewer, or more. */
  readonly pendingCount: number;
}

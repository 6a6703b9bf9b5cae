/** Where a record is that has no item of its own: in the item of its saga. */
export interface RecordHolder {
  /** The partition key of the item, from which the id of a saga cannot always be told. */
  readonly partition: string;
  /** Of its entry in what is pending there. */
  readonly key: string;
  /** As the item was when the record was read or written: a guess at what its mark finds. */
  readonly isTombstone: boolean;
  /** A guess too: what is pending may be sent by now, or more may be. */
  readonly pendingCount: number;
}

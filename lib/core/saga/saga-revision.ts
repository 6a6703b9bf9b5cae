/** One state of one saga, for a write to be refused when it is not the latest any more: the fencing token. */
export interface SagaRevision {
  /** Counts the messages that changed it, from 1 on. */
  readonly version: number;
  /** Of the commit that wrote it: a saga that is started anew comes to the same versions again. */
  readonly commitId: string;
  /** Whether it is bytes in hexadecimal, as items of embedded outboxes have it. @default false */
  readonly isBinary?: boolean;
}

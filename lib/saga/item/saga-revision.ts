/** The fencing token, one for each state of a saga: a write is refused when its state is not the latest. */
export interface SagaRevision {
  /** The number of messages that changed the saga, from 1 on. */
  readonly version: number;
  /** The id of the commit that wrote the state: a saga that starts anew comes to the same versions again. */
  readonly commitId: string;
  /** Whether the id is bytes in hexadecimal, as in items with an embedded outbox. @default false */
  readonly isBinary?: boolean;
}

/** What is known about each error, by its code. */
export interface ErrorFacts {
  /** Two handlers worked on one saga at a time; the other one committed first. */
  SagaConcurrency: {
    sagaName: string;
    sagaId: string;
    /** `check`: a message that no saga waits for was to be discarded. */
    operation: 'create' | 'update' | 'complete' | 'check';
  };
  /** The saga stayed locked by others for as long as there was time to wait. */
  LockTimeout: { sagaName: string; sagaId: string; attempts: number; waitedMs: number };
  /** The message was committed by another delivery of it while this one was handled. */
  DuplicateMessage: { endpoint: string; messageId: string };
  /** Another message, of another type, was committed under the id of this one. */
  MessageIdReused: { endpoint: string; messageId: string; messageType: string };
  /** The outbox record is stored, but a part of its outgoing messages cannot be read back. */
  IncompleteOutboxRecord: { endpoint: string; messageId: string; detail: string };
  /** Another transaction was at work on the same item: nothing was written. */
  TransactionConflict: { item: string };
  /** DynamoDB did not take the request for now. */
  Throttled: { operation: string; reason: string };
  /** DynamoDB gave no answer: what was asked for may have been done. */
  TableCallFailed: { operation: string; tableNames: readonly string[]; detail: string };
  /** What was given to `transaction.add` is no single write of a table. */
  InvalidTransactionItem: { index: number; detail: string };
  /** A condition that the handler added with `transaction.add` did not hold: nothing was written. */
  TransactionConditionFailed: { index: number; tableName: string };
  /** DynamoDB refuses the request for what it says, now and later. */
  RequestRejected: { detail: string };
  /** More writes, or more bytes, than one DynamoDB transaction takes. */
  TransactionLimit: { limit: string; actual: number; maximum: number; remedy: string };
  /** An item over the 400 KB of DynamoDB. */
  ItemTooLarge: { item: string; bytes: number; maximum: number };
  /**
   * The saga state holds a value that would not come back as it was; the detail names its path, and what to
   * store instead.
   */
  UnsupportedState: { sagaName: string; sagaId: string; detail: string };
  /** An item of ours that this version cannot read. */
  UnreadableItem: { item: string; detail: string };
  /** The body is not JSON, or its schema refused it. */
  InvalidMessage: { messageId: string; messageType: string; issues: readonly string[] };
  /** No handler takes this message type. */
  UnknownMessageType: { messageId: string; messageType: string; knownTypes: readonly string[] };
  /** The message names no saga. */
  CorrelationMissing: { messageId: string; messageType: string; sagaName: string };
  /** The Lambda event is not what the handler is made for. */
  InvalidEvent: { detail: string };
  /** An outgoing message that its transport would refuse. */
  InvalidOutgoingMessage: { messageType: string; destination: string; detail: string };
  /** Some outgoing messages were not taken by their queue; the outbox record is kept and tried again. */
  DispatchFailed: { destination: string; failures: readonly string[] };
  /** Queues refuse outgoing messages, now and later; the outbox record is kept. */
  DispatchRefused: { destination: string; failures: readonly string[] };
  /** The body of the message is not, or no longer, where its claim check says. */
  ClaimCheckNotFound: { messageId: string; key: string; detail: string };
  /** The bucket of the claim checks did not take or give a body for now. */
  ClaimCheckFailed: { operation: string; detail: string };
  /** Another middleware ended the request early or swallowed its error, so nothing was committed. */
  CommitSkipped: { messageId: string };
  /** What belongs to a handler was used behind its return, by a promise that it did not await. */
  HandlerReturned: { sagaName: string; sagaId: string; member: string };
  /** Every record of a batch failed: the records are delivered again, each after its own delay. */
  BatchFailed: { failed: number; failures: readonly string[] };
  /** The invocation was about to end: the message was not started, or it was given up. */
  InvocationTimeout: { messageId: string; remainingTimeMs: number };
  /** The message could not be sent to the error queue, and stays in its own. */
  ForwardFailed: { messageId: string; detail: string };
  /** A run of the relay could not dispatch some of the records that it found: they stay in the outbox. */
  RelayFailed: { endpoint: string; failed: number; failures: readonly string[] };
  TableNotFound: { tableNames: readonly string[] };
  /** The function's role, its credentials or the table's key do not allow a call. */
  TableAccessRefused: { operation: string; tableNames: readonly string[]; detail: string };
  /** An option or environment variable is missing or contradicts another. */
  Configuration: { setting: string; problem: string; remedy: string };
  /** Thrown by a user's handler: trying again cannot help. */
  Unrecoverable: { detail: string };
}

export type ErrorCode = keyof ErrorFacts;

interface ErrorRule<C extends ErrorCode> {
  /** When the same message may succeed when it is simply tried again. */
  retryable?: true;
  message: (facts: ErrorFacts[C]) => string;
}

function sagaOf({ sagaName, sagaId }: { sagaName: string; sagaId: string }): string {
  return `'${sagaName}' saga with id '${sagaId}'`;
}

const changedMeanwhile = ': it was updated by another process or no longer exists';

const outcomeOfConflict = {
  create: 'could not be created, possibly due to a concurrency conflict',
  update: `could not be updated${changedMeanwhile}`,
  complete: `could not be completed${changedMeanwhile}`,
  check:
    'was created, updated or completed by another process while a message that it did not wait for was discarded',
} as const;

export const errorRules: { [C in ErrorCode]: ErrorRule<C> } = {
  SagaConcurrency: {
    retryable: true,
    message: (f) => `The ${sagaOf(f)} ${outcomeOfConflict[f.operation]}.`,
  },
  LockTimeout: {
    retryable: true,
    message: (f) =>
      `The ${sagaOf(f)} stayed locked by others: ${f.attempts} attempts in ${f.waitedMs} ms. Raise leaseAcquisitionTimeout, make its handlers faster, or let fewer messages meet it at a time.`,
  },
  DuplicateMessage: {
    retryable: true,
    message: (f) =>
      `Message '${f.messageId}' was committed by another delivery at endpoint '${f.endpoint}': this one changes nothing and takes up its outbox record.`,
  },
  MessageIdReused: {
    message: (f) =>
      `Message '${f.messageId}' of type '${f.messageType}' has the id of a message of another type, which endpoint '${f.endpoint}' has committed: it is not handled. Give every message an id of its own, for example '${f.messageType}' and the order's id.`,
  },
  IncompleteOutboxRecord: {
    retryable: true,
    message: (f) =>
      `The outbox record of message '${f.messageId}' at endpoint '${f.endpoint}' is incomplete (${f.detail}): it is kept, and read again when the message is retried.`,
  },
  TransactionConflict: {
    retryable: true,
    message: (f) => `Another transaction was at work on ${f.item}. Nothing was written: it is tried again.`,
  },
  Throttled: {
    retryable: true,
    message: (f) =>
      `DynamoDB did not take ${f.operation} (${f.reason}): it is tried again; raise the table's capacity when this lasts.`,
  },
  TableCallFailed: {
    retryable: true,
    message: (f) =>
      `DynamoDB gave no answer to ${f.operation} on ${f.tableNames.join(', ')} (${f.detail}): it is tried again.`,
  },
  InvalidTransactionItem: {
    message: (f) => `Write ${f.index}, added with transaction.add, is refused: ${f.detail}.`,
  },
  TransactionConditionFailed: {
    message: (f) =>
      `The condition of write ${f.index} on table '${f.tableName}', added with transaction.add, did not hold. Nothing was written: read what it depends on in the handler, and decide there.`,
  },
  RequestRejected: {
    message: (f) => `DynamoDB refuses the request: ${f.detail}.`,
  },
  TransactionLimit: {
    message: (f) => `${f.actual} ${f.limit} exceed the ${f.maximum} of one transaction: ${f.remedy}.`,
  },
  ItemTooLarge: {
    message: (f) =>
      `${f.item} takes ${f.bytes} bytes, over the ${f.maximum} bytes of a DynamoDB item: keep large data elsewhere.`,
  },
  UnsupportedState: {
    message: (f) => `The state of the ${sagaOf(f)} cannot be stored: ${f.detail}.`,
  },
  UnreadableItem: {
    message: (f) =>
      `${f.item} cannot be read (${f.detail}): it is kept as it is. Was it written by a newer version?`,
  },
  InvalidMessage: {
    message: (f) =>
      `Message '${f.messageId}' of type '${f.messageType}' is invalid: ${f.issues.join('; ')}. Correct its sender, or the schema.`,
  },
  UnknownMessageType: {
    message: (f) =>
      `Message '${f.messageId}' has the type '${f.messageType}', which no handler takes (known: ${f.knownTypes.join(', ')}). Set the message attribute 'Sagabox.MessageType', or add a handler.`,
  },
  CorrelationMissing: {
    message: (f) =>
      `Message '${f.messageId}' of type '${f.messageType}' has no correlation value for the '${f.sagaName}' saga: 'correlate' must return a string or number that is not empty.`,
  },
  InvalidEvent: {
    message: (f) => `${f.detail}. Connect the function to an SQS queue by an event source mapping.`,
  },
  InvalidOutgoingMessage: {
    message: (f) => `The outgoing message '${f.messageType}' to '${f.destination}' is refused: ${f.detail}.`,
  },
  DispatchFailed: {
    retryable: true,
    message: (f) =>
      `${f.failures.length} outgoing messages were not taken by '${f.destination}' (${f.failures.join('; ')}): what an outbox record holds is kept, and sent when the message is retried.`,
  },
  DispatchRefused: {
    message: (f) =>
      `'${f.destination}' refuses ${f.failures.length} outgoing messages (${f.failures.join('; ')}): what an outbox record holds is kept. Correct the destination, its address or the permissions.`,
  },
  ClaimCheckNotFound: {
    message: (f) =>
      `The body of message '${f.messageId}' cannot be taken from the claim check bucket at '${f.key}' (${f.detail}): did its lifecycle rule remove it?`,
  },
  ClaimCheckFailed: {
    retryable: true,
    message: (f) => `The claim check bucket did not answer ${f.operation} (${f.detail}): it is tried again.`,
  },
  CommitSkipped: {
    message: (f) =>
      `Message '${f.messageId}' is not committed: another middleware ended its request early or swallowed its error. Let it change 'request.response' rather than return a value.`,
  },
  HandlerReturned: {
    message: (f) =>
      `${f.member} of the ${sagaOf(f)} was used after the handler had returned: await every promise in it.`,
  },
  BatchFailed: {
    message: (f) =>
      `All ${f.failed} records of the batch failed (${f.failures.join('; ')}): they are returned to their queue. Set throwOnFullBatchFailure to false to have this not count as an error of the function.`,
  },
  InvocationTimeout: {
    message: (f) =>
      `The invocation had ${f.remainingTimeMs} ms left, too little for message '${f.messageId}': it is returned to its queue, and what was committed of it is not repeated. Give the function a longer timeout or smaller batches.`,
  },
  ForwardFailed: {
    message: (f) =>
      `Message '${f.messageId}' could not be sent to the error queue (${f.detail}): it is returned to its own queue, which moves it to the dead letter queue in the end.`,
  },
  RelayFailed: {
    retryable: true,
    message: (f) =>
      `Some outbox records of endpoint '${f.endpoint}' could not be dispatched (${f.failed}: ${f.failures.join('; ')}): they are kept, and a later run tries them again.`,
  },
  TableNotFound: {
    message: (f) =>
      `A DynamoDB table does not exist (used: ${f.tableNames.join(', ')}): deploy it, or correct the table name, region and account.`,
  },
  TableAccessRefused: {
    message: (f) =>
      `DynamoDB refuses access by ${f.operation} to ${f.tableNames.join(', ')} (${f.detail}): grant it to the function's role, for the table and its key.`,
  },
  Configuration: { message: (f) => `${f.setting}: ${f.problem}. ${f.remedy}.` },
  Unrecoverable: { message: (f) => f.detail },
};

/**
 * Every error that sagabox throws. Match on `code`; `facts` has what the message was made of.
 *
 * @example
 * ```ts
 * import { SagaboxError } from 'sagabox';
 *
 * function isConflict(error: unknown): boolean {
 *   return error instanceof SagaboxError && error.code === 'SagaConcurrency';
 * }
 * ```
 */
export class SagaboxError<C extends ErrorCode = ErrorCode> extends Error {
  override readonly name: string = 'SagaboxError';
  readonly code: C;
  /** Whether the same message may succeed when it is simply tried again. */
  readonly retryable: boolean;
  readonly facts: Readonly<ErrorFacts[C]>;

  constructor(code: C, facts: ErrorFacts[C], options?: ErrorOptions) {
    super(errorRules[code].message(facts), options);
    this.code = code;
    this.retryable = errorRules[code].retryable === true;
    this.facts = facts;
  }
}

/**
 * Thrown by a user's handler when trying again cannot help.
 *
 * @example
 * ```ts
 * import { UnrecoverableError } from 'sagabox';
 *
 * throw new UnrecoverableError('The card was reported stolen');
 * ```
 */
export class UnrecoverableError extends SagaboxError<'Unrecoverable'> {
  override readonly name: string = 'UnrecoverableError';

  constructor(message: string, options?: ErrorOptions) {
    super('Unrecoverable', { detail: message }, options);
  }
}

/**
 * Not for what throws when it is asked what it is, as a revoked proxy does, or for its code, as other proxies
 * may.
 */
export function isSagaboxError(error: unknown): error is SagaboxError {
  try {
    return error instanceof SagaboxError && typeof error.code === 'string';
  } catch {
    return false;
  }
}

export function isRetryable(error: unknown): boolean {
  return isSagaboxError(error) && error.retryable;
}

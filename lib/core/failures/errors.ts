import { type RoundedInteger, roundingProblem } from '../checks/rounded-integer.ts';
import { sagaErrorMessages } from './saga-errors.ts';
import { scatterGatherErrorMessages } from './scatter-gather-errors.ts';
import { sendingErrorMessages } from './sending-errors.ts';
import { sessionErrorMessages } from './session-errors.ts';
import { tableErrorMessages } from './table-errors.ts';

interface OfMessage {
  messageId: string;
  messageType: string;
}
interface OfRecord {
  endpoint: string;
  messageId: string;
}

/** Of each error: its facts, and what they say. A message names cause and remedy. */
export const errorMessages = {
  ...sagaErrorMessages,
  /** The message was committed by another delivery of it while this one was handled. */
  DuplicateMessage: (f: OfRecord) =>
    `Message '${f.messageId}' was committed by another delivery at endpoint '${f.endpoint}': ` +
    'this one changes nothing and takes up its outbox record.',
  /** Another message, of another type, was committed under the id of this one. */
  MessageIdReused: (f: OfRecord & OfMessage) =>
    `Message '${f.messageId}' of type '${f.messageType}' has the id of a message of another type, ` +
    `which endpoint '${f.endpoint}' has committed: it is not handled. ` +
    `Give every message an id of its own, for example '${f.messageType}' and the order's id.`,
  /** Not a failure of the message: what it was handled together with was not committed. */
  HandledAgain: (f: { messageId: string; reason: string }) =>
    `Message '${f.messageId}' is handled again: ${f.reason}. It does not count as a failed attempt.`,
  /** The outbox record is stored, but a part of its outgoing messages cannot be read back. */
  IncompleteOutboxRecord: (f: OfRecord & { detail: string }) =>
    `The outbox record of message '${f.messageId}' at endpoint '${f.endpoint}' is incomplete ` +
    `(${f.detail}): it is kept, and read again when the message is retried.`,
  ...tableErrorMessages,
  /** An item of ours that this version cannot read. */
  UnreadableItem: (f: { item: string; detail: string }) =>
    `${f.item} cannot be read (${f.detail}): it is kept as it is. ` +
    'Deploy the release that wrote it, or a later one. If it is damaged, restore it from a backup.',
  /** It cannot be read, or its schema refused it. */
  InvalidMessage: (f: OfMessage & { issues: readonly string[]; remedy?: string }) =>
    `Message '${f.messageId}' of type '${f.messageType}' is invalid: ${f.issues.join('; ')}. ` +
    `${f.remedy ?? 'Correct its sender, or the schema'}.`,
  /** No handler takes this message type. */
  UnknownMessageType: (f: OfMessage & { knownTypes: readonly string[] }) =>
    `Message '${f.messageId}' has the type '${f.messageType}', which no handler takes ` +
    `(known: ${f.knownTypes.join(', ')}). Set the message attribute 'Sagabox.MessageType', or add a handler.`,
  /** The message names no saga. */
  CorrelationMissing: (f: OfMessage & { sagaName: string }) =>
    `Message '${f.messageId}' of type '${f.messageType}' has no correlation value for the ` +
    `'${f.sagaName}' saga: 'correlate' must return a string or number that is not empty.`,
  /** The message names a saga by an integer that JavaScript may have rounded: it may be meant for another one. */
  CorrelationRounded: (f: OfMessage & { sagaName: string } & RoundedInteger) =>
    `Message '${f.messageId}' of type '${f.messageType}' names no one '${f.sagaName}' saga: its correlation value ` +
    `is ${roundingProblem(f)}.`,
  /** The Lambda event is not what the handler is made for. */
  InvalidEvent: (f: { detail: string; remedy?: string }) =>
    `${f.detail}. ` +
    `${f.remedy ?? 'Connect the function to its queue or stream by an event source mapping'}.`,
  ...sendingErrorMessages,
  ...sessionErrorMessages,
  ...scatterGatherErrorMessages,
  /** The body of the message is not, or no longer, where its claim check says. */
  ClaimCheckNotFound: (f: { messageId: string; key: string; detail: string }) =>
    `The body of message '${f.messageId}' cannot be taken from the claim check bucket at '${f.key}' ` +
    `(${f.detail}): did its lifecycle rule remove it?`,
  /** The bucket of the claim checks did not take or give a body for now. */
  ClaimCheckFailed: (f: { operation: string; detail: string }) =>
    `The claim check bucket did not answer ${f.operation} (${f.detail}): it is tried again.`,
  /** The settings that the environment refers to are not at hand: no message was handled. */
  SettingsNotLoaded: (f: { path: string; detail: string }) =>
    `The settings at '${f.path}' in Systems Manager could not be loaded (${f.detail}): ` +
    'messages are returned to their queue, and it is tried again. ' +
    'The role of the function needs ssm:GetParameters on it, as the constructs grant it.',
  /** Another middleware ended the request early or swallowed its error, so nothing was committed. */
  CommitSkipped: (f: { messageId: string }) =>
    `Message or request '${f.messageId}' is not committed: another middleware ended it early or swallowed ` +
    "its error. Let it change 'request.response' rather than return a value, or use it before this one.",
  /** Every record of a batch failed: the records are delivered again, each after its own delay. */
  BatchFailed: (f: { failed: number; failures: readonly string[] }) =>
    `All ${f.failed} records of the batch failed (${f.failures.join('; ')}): ` +
    'they are returned to their queue. ' +
    'Set throwOnFullBatchFailure to false to have this not count as an error of the function.',
  /** The invocation was about to end: the message or request was not started, or its handler was aborted. */
  InvocationTimeout: (f: { messageId: string; remainingTimeMs: number; of?: 'request' }) => {
    const begin = `The invocation had ${f.remainingTimeMs} ms left, too little for '${f.messageId}'`;
    return f.of
      ? `${begin}: the request fails, and is not committed unless its commit had begun. Repeat it, with its ` +
          'idempotency key if it has one. Give the function a longer timeout, or make its handler faster.'
      : `${begin}: the message is returned to its queue, and what was committed of it is not repeated. ` +
          'Give the function a longer timeout or smaller batches.';
  },
  /** The message could not be sent to the error queue, and stays in its own. */
  ForwardFailed: (f: { messageId: string; detail: string }) =>
    `Message '${f.messageId}' could not be sent to the error queue (${f.detail}): ` +
    'it is returned to its own queue, which moves it to the dead letter queue in the end.',
  /** A run of the relay could not dispatch some of the records that it found: they stay in the outbox. */
  RelayFailed: (f: { endpoint: string; failed: number; failures: readonly string[] }) =>
    `Some outbox records of endpoint '${f.endpoint}' could not be dispatched ` +
    `(${f.failed}: ${f.failures.join('; ')}): they are kept, and a later run tries them again.`,
  /** The watcher does not read the stream of a table: what functions that died left there is not found. */
  StreamNotRead: (f: { table: string; problem: string }) =>
    `The changes of table '${f.table}' are not read: ${f.problem}. What functions that died left to be sent is not ` +
    'found meanwhile. Let the watcher read the stream again within 24 hours, else run sagabox relay --strategy scan once.',
  /** Some changes of a table may have gone by unread: what they left to be sent is on no list. */
  ScanDue: (f: { table: string; endpoints: readonly string[]; reason: string; since: string }) =>
    `A scan of table '${f.table}' is due since ${f.since}: ${f.reason}. What was to be sent may be on no list. Run ` +
    `sagabox relay --strategy scan once for ${f.endpoints.join(', ')}, when that time is older than what it skips.`,
  /** An option or environment variable is missing or contradicts another. */
  Configuration: (f: { setting: string; problem: string; remedy: string }) =>
    `${f.setting}: ${f.problem}. ${f.remedy}.`,
  /** In `testApp`: a message has gone to an error queue, and the test did not ask for it. */
  MessageFailed: (f: OfRecord & OfMessage & { receiveCount: number; detail: string }) =>
    `Message '${f.messageId}' of type '${f.messageType}' is in the error queue of endpoint '${f.endpoint}', ` +
    `at its delivery ${f.receiveCount}: ${f.detail.replace(/\.$/, '')}. ` +
    'Correct its handler or its sender, or create the app with throwOnFailure: false.',
  /** In tests: a message was not sent that its handler did not wait for; the rest is committed. */
  ImmediateSendFailed: (f: { messageId: string; detail: string }) =>
    `A message of sendImmediately was not sent while '${f.messageId}' was handled, and its handler did not wait ` +
    `for it: ${f.detail.replace(/\.$/, '')}. Await it, and decide in the handler what its failure means.`,
  /** In `testApp`: its endpoints send each other ever more messages. */
  NeverQuiet: (f: { maxDeliveries: number; messages: readonly string[] }) =>
    `After ${f.maxDeliveries} deliveries there are still messages to deliver. Most were ${f.messages.join(', ')}. ` +
    'Do handlers answer each other for ever? If not, raise maxDeliveries.',
  /** Thrown by a user's handler: trying again cannot help. */
  Unrecoverable: (f: { detail: string }) => f.detail,
};

/** The code of a {@link SagaboxError}: one of docs/reference/errors.md, with the cause and the remedy of each. */
export type ErrorCode = keyof typeof errorMessages;

/** What is known about each error, by its code. */
export type ErrorFacts = { [C in ErrorCode]: Parameters<(typeof errorMessages)[C]>[0] };

/** After these the same message may succeed when it is simply tried again. */
export const retryableCodes: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'SagaConcurrency',
  'LockTimeout',
  'DuplicateMessage',
  'HandledAgain',
  'IncompleteOutboxRecord',
  'TransactionConflict',
  'Throttled',
  'TableCallFailed',
  'DispatchFailed',
  'MessagesNotSent',
  'ClaimCheckFailed',
  'SettingsNotLoaded',
  'RequestInProgress',
  'RelayFailed',
  'StreamNotRead',
]);

/**
 * Their stack shows a line of a handler that has to be corrected. All others are told by their message: a log
 * line has no stack of them.
 */
export const codesWithStack: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'HandlerReturned',
  'InvalidOutgoingMessage',
  'InvalidTransactionItem',
  'InvalidContribution',
]);

/** On each of our errors, also those of another copy of sagabox: `instanceof` knows its own copy only. */
const brand: unique symbol = Symbol.for('sagabox.error');

/**
 * Every error that sagabox throws. Match on `code`, each of which docs/reference/errors.md explains; `facts` has what
 * the message was made of.
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
  /** Lambda tells it as the error's type; a bundler that minifies would rename the class. */
  static override readonly name: string = 'SagaboxError';

  // On the prototype, where the head of the stack takes it from.
  override get name(): string {
    return 'SagaboxError';
  }

  /** @internal */
  get [brand](): true {
    return true;
  }

  readonly code: C;
  /** Whether the same message may succeed when it is simply tried again. */
  readonly retryable: boolean;
  readonly facts: Readonly<ErrorFacts[C]>;

  constructor(code: C, facts: ErrorFacts[C], options?: ErrorOptions) {
    const messages: { [Code in ErrorCode]: (facts: ErrorFacts[Code]) => string } = errorMessages;
    super(messages[code](facts), options);
    this.code = code;
    this.retryable = retryableCodes.has(code);
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
  static override readonly name: string = 'UnrecoverableError';

  override get name(): string {
    return 'UnrecoverableError';
  }

  constructor(message: string, options?: ErrorOptions) {
    super('Unrecoverable', { detail: message }, options);
  }
}

/** For an option, a definition or an environment variable that cannot be used. */
export function configurationError(
  setting: string,
  problem: string,
  remedy: string,
  options?: ErrorOptions,
): SagaboxError<'Configuration'> {
  return new SagaboxError('Configuration', { setting, problem, remedy }, options);
}

/**
 * Whether something is an error of sagabox, also one of another copy of it: a bundle has one of its own, and a
 * process may load two versions.
 *
 * @example
 * ```ts
 * import { isSagaboxError } from 'sagabox';
 *
 * function isConflict(error: unknown): boolean {
 *   return isSagaboxError(error) && error.code === 'SagaConcurrency';
 * }
 * ```
 */
export function isSagaboxError(error: unknown): error is SagaboxError {
  try {
    // A thrown proxy may throw when it is asked what it is, or for its code.
    const { [brand]: isOurs, code } = Object(error) as Partial<SagaboxError>;
    return isOurs === true && typeof code === 'string';
  } catch {
    // A proxy's: whatever it throws, it is none of ours.
    return false;
  }
}

export function isRetryable(error: unknown): boolean {
  return isSagaboxError(error) && error.retryable;
}

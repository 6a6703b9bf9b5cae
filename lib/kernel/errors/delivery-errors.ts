import { retryable } from './retryable.ts';

export interface OfMessage {
  messageId: string;
  messageType: string;
}

export interface OfRecord {
  endpoint: string;
  messageId: string;
}

/** Errors of duplicates and retries: the message of each, made of its facts. */
export const deliveryErrorMessages = {
  /**
   * Another delivery of the message committed first.
   *
   * @remedy No action is needed: the retry finds the record of that commit.
   */
  DuplicateMessage: retryable(
    (f: OfRecord) =>
      `Message '${f.messageId}' was committed by another delivery at endpoint '${f.endpoint}': ` +
      'this one changes nothing and takes up its outbox record.',
  ),
  /**
   * Not a failure. The message is handled again because [its
   * group](docs/guide/concurrency.md#messages-of-one-saga-in-one-batch) was not committed, or because a
   * message ahead of it in its FIFO group was returned. Only your own middlewares get it.
   *
   * @remedy No action is needed: it does not count as a failed attempt.
   */
  HandledAgain: retryable(
    (f: { messageId: string; reason: string }) =>
      `Message '${f.messageId}' is handled again: ${f.reason}. It does not count as a failed attempt.`,
  ),
  /**
   * A message of another type was committed under the same id.
   *
   * @remedy Give every message an id of its own, such as its type and the order's id; see [What counts as a
   * duplicate](docs/guide/messaging.md#what-counts-as-a-duplicate).
   */
  MessageIdReused: (f: OfRecord & OfMessage) =>
    `Message '${f.messageId}' of type '${f.messageType}' has the id of a message of another type, ` +
    `which endpoint '${f.endpoint}' has committed: it is not handled. ` +
    `Give every message an id of its own, for example '${f.messageType}' and the order's id.`,
  /**
   * The invocation was about to end: the message was not started, or was [returned
   * unfinished](docs/guide/recoverability.md#time). With the fact `of: 'request'`, a
   * [session](docs/guide/sessions.md#in-the-handler) failed. It is also the reason of the `signal`.
   *
   * @remedy Give the function a longer timeout or smaller batches, or make its handlers faster. Repeat a
   * failed request, with its idempotency key if it has one.
   */
  InvocationTimeout: (f: { messageId: string; remainingTimeMs: number; of?: 'request' }) => {
    const begin = `The invocation had ${f.remainingTimeMs} ms left, too little for '${f.messageId}'`;
    return f.of
      ? `${begin}: the request fails, and is not committed unless its commit had begun. Repeat it, with its ` +
          'idempotency key if it has one. Give the function a longer timeout, or make its handler faster.'
      : `${begin}: the message is returned to its queue, and what was committed of it is not repeated. ` +
          'Give the function a longer timeout or smaller batches.';
  },
  /**
   * Another middleware prevented the commit, or answered while the handler still ran. In a
   * [session](docs/guide/sessions.md), another middleware within it returned a value; `cause` is the error
   * that it had.
   *
   * @remedy Let that middleware change `request.response` rather than return a value, or use it before
   * `sagaOutbox` or `outboxSession`. Whether the handler still runs is known of those that `defineSaga` and
   * `defineHandlers` make: use one of them, rather than a plain function, below a middleware that answers
   * early, such as `timeoutEarlyResponse` of Middy with a value.
   */
  CommitSkipped: (f: { messageId: string }) =>
    `Message or request '${f.messageId}' is not committed: another middleware ended it early or swallowed ` +
    "its error. Let it change 'request.response' rather than return a value, or use it before this one.",
  /**
   * The handler threw `UnrecoverableError`.
   *
   * @remedy The message of the error is your own. Correct what it names, then move the message back with
   * [`sagabox redrive`](docs/reference/cli.md#sagabox-redrive).
   */
  Unrecoverable: (f: { detail: string }) => f.detail,
  /**
   * [Every record of a batch failed](docs/guide/recoverability.md#when-every-record-fails): the invocation
   * throws it, so that Lambda's `Errors` metric shows the outage. SQS delivers the records again, each
   * after its own delay.
   *
   * @remedy Correct what the listed `failures` name. Set `throwOnFullBatchFailure: false` to have it not
   * count as an error of the function.
   */
  BatchFailed: (f: { failed: number; failures: readonly string[] }) =>
    `All ${f.failed} records of the batch failed (${f.failures.join('; ')}): ` +
    'they are returned to their queue. ' +
    'Set throwOnFullBatchFailure to false to have this not count as an error of the function.',
  /**
   * A failed message could not be sent to the error queue. It is returned to its own queue, which moves it
   * to the dead letter queue in the end.
   *
   * @remedy Correct what the error names: the permission, the address, or [the size or the attributes of
   * the message](docs/guide/recoverability.md#the-error-queue).
   */
  ForwardFailed: (f: { messageId: string; detail: string }) =>
    `Message '${f.messageId}' could not be sent to the error queue (${f.detail}): ` +
    'it is returned to its own queue, which moves it to the dead letter queue in the end.',
};

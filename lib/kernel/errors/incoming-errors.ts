import type { OfMessage } from './delivery-errors.ts';
import { retryable } from './retryable.ts';

/** Errors of incoming messages: the message of each, made of its facts. */
export const incomingErrorMessages = {
  /**
   * The body is not JSON or is [in S3](docs/guide/messaging.md#bodies-in-s3-by-amazons-extended-client), or
   * its schema, its envelope or your [parser](docs/guide/messaging.md#a-parser-of-your-own) refuses it.
   *
   * @remedy Correct the sender, or the schema; a body in another format is read by the option
   * [`parse`](docs/guide/messaging.md#a-parser-of-your-own).
   */
  InvalidMessage: (f: OfMessage & { issues: readonly string[]; remedy?: string }) =>
    `Message '${f.messageId}' of type '${f.messageType}' is invalid: ${f.issues.join('; ')}. ` +
    `${f.remedy ?? 'Correct its sender, or the schema'}.`,
  /**
   * The endpoint has no handler for the type. The fact `knownTypes` has those that it knows.
   *
   * @remedy Set the message attribute `Sagabox.MessageType` at the sender, or add a handler.
   */
  UnknownMessageType: (f: OfMessage & { knownTypes: readonly string[] }) =>
    `Message '${f.messageId}' has the type '${f.messageType}', which no handler takes ` +
    `(known: ${f.knownTypes.join(', ')}). Set the message attribute 'Sagabox.MessageType', or add a handler.`,
  /**
   * The Lambda event is not from SQS, or for `streamBatch` not from a stream: the invocation fails. Or the
   * body of a record is not a string: the record is returned.
   *
   * @remedy Connect the function to its queue or stream by an event source mapping, and hand on its records
   * as they are.
   */
  InvalidEvent: (f: { detail: string; remedy?: string }) =>
    `${f.detail}. ` +
    `${f.remedy ?? 'Connect the function to its queue or stream by an event source mapping'}.`,
  /**
   * The body of the message is missing in the [claim check](docs/guide/messaging.md#claim-check) bucket, or
   * is another one.
   *
   * @remedy Look whether the lifecycle rule of the bucket removed it: it must keep bodies for longer than a
   * message can wait.
   */
  ClaimCheckNotFound: (f: { messageId: string; key: string; detail: string }) =>
    `The body of message '${f.messageId}' cannot be taken from the claim check bucket at '${f.key}' ` +
    `(${f.detail}): did its lifecycle rule remove it?`,
  /**
   * The claim check bucket did not store or return a body for now.
   *
   * @remedy No action is needed for a single one. If it lasts, look at the state of S3, and at the
   * permissions of the role for the bucket and its key.
   */
  ClaimCheckFailed: retryable(
    (f: { operation: string; detail: string }) =>
      `The claim check bucket did not answer ${f.operation} (${f.detail}): it is tried again.`,
  ),
};

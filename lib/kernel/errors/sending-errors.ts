import { retryable } from './retryable.ts';

/** A batch can be large, and its error is a line of a log. */
const MAX_LISTED = 10;

function listed(lines: readonly string[]): string {
  const others = lines.length - MAX_LISTED;
  return [...lines.slice(0, MAX_LISTED), ...(others > 0 ? [`and ${others} more`] : [])].join('; ');
}

export interface OfUntaken {
  destination: string;
  sent: number;
  entries: readonly { index: number; id: string; reason: string; retryable: boolean }[];
}

function untaken({ destination, sent, entries }: OfUntaken): string {
  const told = listed(entries.map(({ index, id, reason }) => `entry ${index}, '${id}': ${reason}`));
  return `${entries.length} of ${sent + entries.length} messages were not taken by '${destination}' (${told})`;
}

/** Errors of outgoing messages: the message of each, made of its facts. */
export const sendingErrorMessages = {
  /**
   * An outgoing message cannot be sent. SQS, SNS, EventBridge or EventBridge Scheduler would refuse its
   * [size](docs/guide/messaging.md#message-sizes), its headers, their
   * [characters](docs/guide/messaging.md#characters) or its group; the `id` of a scatter-gather is made of
   * an integer that JavaScript may have rounded; JSON would [change its
   * body](docs/guide/messaging.md#bodies), or the body is too large for a claim check; its delay is not
   * possible; or it was sent [after the handler had
   * returned](docs/reference/options.md#after-the-handler-returned). Or it is in no
   * [contract](docs/guide/contracts.md) that its sender lists, or its body does not fit the schema there:
   * then the fact `issues` names each field.
   *
   * @remedy The error names what to change, and its stack the call.
   */
  InvalidOutgoingMessage: (f: {
    messageType: string;
    destination: string;
    detail: string;
    issues?: readonly string[];
    /** In the batch of a producer, from 0. */
    index?: number;
  }) => {
    const entry = f.index === undefined ? '' : `, entry ${f.index} of its batch,`;
    return `The outgoing message '${f.messageType}' to '${f.destination}'${entry} is refused: ${f.detail}.`;
  },
  /**
   * A queue, topic, event bus or schedule group did not accept messages for now. What is in an outbox
   * record stays there, and is sent when the message is retried or by the [relay](docs/guide/relay.md).
   *
   * @remedy No action is needed for a single one. If it lasts, look at the `failures`.
   */
  DispatchFailed: retryable(
    (f: { destination: string; failures: readonly string[] }) =>
      `Outgoing messages were not taken by '${f.destination}' ` +
      `(${f.failures.join('; ')}): what an outbox record holds is kept, and sent when the message is retried.`,
  ),
  /**
   * A queue, topic, event bus or schedule group refuses messages, does not exist, or denies access. What is
   * in an outbox record stays there.
   *
   * @remedy Correct the destination, its address or the permissions. A redelivery, a redrive or the
   * [relay](docs/guide/relay.md) then sends the messages.
   */
  DispatchRefused: (f: { destination: string; failures: readonly string[] }) =>
    `'${f.destination}' refuses outgoing messages (${f.failures.join('; ')}): ` +
    'what an outbox record holds is kept. Correct the destination, its address or the permissions.',
  /**
   * A [producer](docs/guide/producer.md#errors)'s messages were not taken, or not all of them. The fact
   * `entries` has the `index`, `id` and `reason` of each, and whether it is `retryable`.
   *
   * @remedy Send those that are retryable again, with the same keys.
   */
  MessagesNotSent: retryable(
    (f: OfUntaken) => `${untaken(f)}: send those that are retryable again, with the same keys.`,
  ),
  /**
   * The same as [`MessagesNotSent`](#messagesnotsent), if none of the messages would be taken later.
   *
   * @remedy Correct the messages, the destination, its address or the permissions.
   */
  MessagesRefused: (f: OfUntaken) =>
    `${untaken(f)}: they are refused now and later. Correct the messages, the destination, its address or the permissions.`,
  /**
   * A run of the [relay](docs/guide/relay.md) could not dispatch some records. They stay in the outbox, and
   * a later run retries them.
   *
   * @remedy Correct what the `failures` name; see [Not
   * relayed](docs/guide/operations.md#not-relayed-a-run-of-the-relay-failed).
   */
  RelayFailed: retryable(
    (f: { endpoint: string; failed: number; failures: readonly string[] }) =>
      `Some outbox records of endpoint '${f.endpoint}' could not be dispatched ` +
      `(${f.failed}: ${f.failures.join('; ')}): they are kept, and a later run tries them again.`,
  ),
  /**
   * A run of the [relay](docs/guide/relay.md#what-a-run-checks) sees that nobody reads the changes of a
   * `table`: its stream is off, or the event source mapping of the watcher is gone, disabled, or reads
   * another stream, or the watcher has failed for more than 2 hours. The `problem` says which. The run has
   * sent what is on the list.
   *
   * @remedy Let the watcher read the stream again within 24 hours; see [The stream was not
   * read](docs/guide/runbooks.md#the-stream-was-not-read).
   */
  StreamNotRead: retryable(
    (f: { table: string; problem: string }) =>
      `The changes of table '${f.table}' are not read: ${f.problem}. What functions that died left to be sent is not ` +
      'found meanwhile. Let the watcher read the stream again within 24 hours, else run sagabox relay --strategy scan once.',
  ),
  /**
   * Changes of a `table` may have gone by unread, for the `reason` that the error names, so that what was
   * to be sent is on no list. Each run of the [relay](docs/guide/relay.md#when-a-scan-is-due) reports it
   * until a scan was made, and sends what is on the list.
   *
   * @remedy Run `sagabox relay --strategy scan` once for each of the `endpoints`, when the time in `since`
   * is older than its `--older-than`, 15 minutes by default. It has to reach its end, and to send all that
   * it finds.
   */
  ScanDue: (f: { table: string; endpoints: readonly string[]; reason: string; since: string }) =>
    `A scan of table '${f.table}' is due since ${f.since}: ${f.reason}. What was to be sent may be on no list. Run ` +
    `sagabox relay --strategy scan once for ${f.endpoints.join(', ')}, when that time is older than what it skips.`,
};

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

/** Of the errors of messages that are sent: their facts, and what they say. */
export const sendingErrorMessages = {
  /** An outgoing message that its transport would refuse, or its contract; then `issues` may say why. */
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
  /** Some outgoing messages were not taken by their queue; the outbox record is kept and tried again. */
  DispatchFailed: (f: { destination: string; failures: readonly string[] }) =>
    `Outgoing messages were not taken by '${f.destination}' ` +
    `(${f.failures.join('; ')}): what an outbox record holds is kept, and sent when the message is retried.`,
  /** Queues refuse outgoing messages, now and later; the outbox record is kept. */
  DispatchRefused: (f: { destination: string; failures: readonly string[] }) =>
    `'${f.destination}' refuses outgoing messages (${f.failures.join('; ')}): ` +
    'what an outbox record holds is kept. Correct the destination, its address or the permissions.',
  /** What a producer sent was not taken, or not all of it. The entries tell which, and why. */
  MessagesNotSent: (f: OfUntaken) =>
    `${untaken(f)}: send those that are retryable again, with the same keys.`,
  /** The same, and none of them would be taken later. */
  MessagesRefused: (f: OfUntaken) =>
    `${untaken(f)}: they are refused now and later. Correct the messages, the destination, its address or the permissions.`,
};

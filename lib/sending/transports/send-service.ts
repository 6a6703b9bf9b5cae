import type { Destination } from '../../messages/destinations/destination.ts';
import type { DispatchedMessage, OutgoingMessage } from '../../messages/message.ts';
import type { SendFailure } from './send-failure.ts';

/** A message of a call that was not taken, by its place among those that the call sent. */
export interface EntryFailure extends SendFailure {
  readonly index: number;
}

/** Returns the failure of an entry of SQS or SNS, whose id is its place. */
export function toEntryFailure(entry: {
  Id: string | undefined;
  Code: string | undefined;
  Message?: string | undefined;
  SenderFault: boolean | undefined;
}): EntryFailure {
  const { Id, Code = 'unknown', Message = 'no message', SenderFault } = entry;
  return { index: Number(Id), isFinal: SenderFault === true, detail: `${Code}: ${Message}` };
}

/** A service that takes messages to destinations of one kind. */
export interface SendService<To extends Destination = Destination> {
  /** The limit of all messages of one call together. */
  readonly maxBytes: number;
  bytesOf(message: OutgoingMessage): number;
  /** The names of errors of a whole call that no retry helps, whatever its messages are. */
  readonly destinationErrors: ReadonlySet<string>;
  /** The names of errors of a whole call that no retry helps, and that one of its messages may cause. */
  readonly messageErrors: ReadonlySet<string>;
  /** Loads what calls need, where they need anything. */
  load?(): Promise<unknown>;
  /** Makes one call, in which each message is taken or refused by itself. */
  call(
    messages: readonly DispatchedMessage[],
    destination: To,
    abortSignal: AbortSignal | undefined,
  ): Promise<readonly EntryFailure[]>;
}

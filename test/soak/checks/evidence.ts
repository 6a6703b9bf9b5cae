/** What a round was to do, and what of it there is in the tables and queues when it is over. */
export interface Evidence {
  readonly bookings: readonly ExpectedBooking[];
  readonly closings: readonly ExpectedClosing[];
  /** Messages that change no saga. */
  readonly senders: readonly ExpectedSender[];
  readonly requests: readonly ExpectedRequest[];
  /** The bookings in the state of each saga that is stored, by its account. */
  readonly openAccounts: ReadonlyMap<string, readonly number[]>;
  /** Of how many items of sagas, ended ones included. */
  readonly fullInboxes: number;
  /** What the handlers wrote beside their sagas, by the id of the message. */
  readonly marks: ReadonlyMap<string, Mark>;
  /** Everything that arrived at the other queue, repeated messages too. */
  readonly entries: readonly ArrivedEntry[];
  /** What the clients of the requests got, repeated answers too, by the id of the request. */
  readonly answers: ReadonlyMap<string, readonly Answer[]>;
  /** The ids of messages and requests whose outbox records are not dispatched. */
  readonly undispatched: readonly string[];
  /** Places on the list of the relay, which has sent all of it. */
  readonly listed: readonly string[];
  /** The ids of the messages in the error queue. */
  readonly errorQueue: readonly string[];
  readonly deadLetterQueue: readonly string[];
}

export interface ExpectedBooking {
  readonly id: string;
  readonly account: string;
  readonly number: number;
  readonly sends: number;
  /** It can never be applied. */
  readonly isPoison: boolean;
  /** Without a mark, it is known by its saga and by what arrived. */
  readonly isMarked: boolean;
}

export interface ExpectedClosing {
  readonly id: string;
  readonly account: string;
  /** It may meet its account between two of its lives, and is discarded then. */
  readonly startsAnew: boolean;
  readonly isMarked: boolean;
}

export interface ExpectedSender {
  readonly id: string;
  readonly sends: number;
  /** Without a mark, it is known only by what arrived which of its runs committed. */
  readonly isMarked: boolean;
}

export interface ExpectedRequest {
  readonly id: string;
  readonly sends: number;
  readonly writes: boolean;
}

export interface Answer {
  /** The whole response, in JSON. */
  readonly response: string;
  /** The run of the handler whose response it is. */
  readonly attempt: string;
}

export interface Mark {
  readonly applied: number;
  /** The run of the handler that committed. */
  readonly attempt: string;
}

export interface ArrivedEntry {
  readonly id: string;
  /** The id of the message whose handler sent it. */
  readonly source: string;
  readonly ordinal: number;
  readonly attempt: string;
  /** The last state of an account that was closed. */
  readonly bookings?: readonly number[];
}

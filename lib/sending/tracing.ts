import type { SQSRecord } from 'aws-lambda';
import type { Destination, Destinations } from '../messages/destinations/destination.ts';
import type { IncomingMessage, OutgoingMessage } from '../messages/message.ts';
import type { MessageSpan } from '../observe/tracing/message-span.ts';
import type { Dispatcher } from './dispatcher.ts';

/** Makes spans of messages, their commits and what they send. */
export interface Tracing {
  /**
   * Begins the span of an attempt at a message.
   *
   * @param message undefined if the record cannot be read
   */
  startMessage(
    record: SQSRecord,
    message: IncomingMessage | undefined,
    endpoint: string | undefined,
  ): MessageSpan;
  /** Begins the span of a session. */
  startSession(request: TracedRequest, endpoint: string): MessageSpan;
  /**
   * Sends messages of a producer to a destination in a span.
   *
   * @returns the ids of the messages
   */
  produce(destination: Destination, steps: ProduceSteps): Promise<readonly string[]>;
  /** A dispatcher with a span of each dispatch to a destination, in the trace that its messages carry. */
  traced(dispatcher: Dispatcher, destinations: Destinations): Dispatcher;
  /** Exports the spans of an invocation, before Lambda freezes the process. Never fails. */
  flush(maxMs: number): Promise<void>;
}

/** What tracing reads of the request of a session. */
export interface TracedRequest {
  readonly id: string;
  readonly type: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** What a producer does in its span. */
export interface ProduceSteps {
  /** Then each message has a span and a context of its own. */
  readonly isBatch: boolean;
  prepare(traceHeaders: Readonly<Record<string, string>>): Promise<readonly OutgoingMessage[]>;
  send(messages: readonly OutgoingMessage[]): Promise<void>;
}

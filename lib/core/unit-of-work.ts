import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { type Destination, type Destinations, unknownDestination } from './destination.ts';
import { type Duration, toSeconds } from './duration.ts';
import { sagaGroupId } from './fifo.ts';
import { headerNames } from './headers.ts';
import type { SagaIdentity } from './keys.ts';
import type { IncomingMessage, OutgoingMessage } from './message.ts';
import { outgoingMessageId } from './message-id.ts';
import { assertSendable, assertUserHeaders, detachBody, refusal } from './outgoing.ts';
import { assertTransactionItem, invalidItem } from './transaction-item.ts';

export interface SendOptions {
  /** Up to 15 minutes; not for FIFO queues. */
  delay?: Duration;
  /** Message attributes of your own: SQS takes 10 on a message, of which sagabox uses up to 6. */
  headers?: Readonly<Record<string, string>>;
  /**
   * FIFO queues only.
   *
   * @default - one for each saga; outside of sagas a FIFO queue needs it
   */
  messageGroupId?: string;
}

/** What a handler can do besides changing its saga. Everything is only recorded, and takes effect with the commit. */
export interface UnitOfWorkContext {
  /** @throws SagaboxError `InvalidOutgoingMessage` or `Configuration`, at once, for what could not be sent. */
  send(destination: string, type: string, body: unknown, options?: SendOptions): void;
  /** Sends to the endpoint that sent the message being handled. */
  reply(type: string, body: unknown, options?: SendOptions): void;
  /** Sends a message to this endpoint itself, after a while. */
  requestTimeout(type: string, body: unknown, options: { after: Duration }): void;
  readonly transaction: {
    /**
     * Adds a write of your own: it commits together with the saga and the outgoing messages, or not at all.
     *
     * @throws SagaboxError `InvalidTransactionItem`, at once, for what is no single write of a table
     */
    add(item: TransactWriteItem): void;
  };
}

export interface UnitOfWorkOrigin {
  readonly message: IncomingMessage;
  /** The saga whose handler sends. */
  readonly saga?: SagaIdentity | undefined;
  readonly endpoint: string;
  readonly destinations: Destinations;
  readonly now: Date;
}

/** Collects what one handler wants to happen. */
export class UnitOfWork {
  readonly outgoing: OutgoingMessage[] = [];
  readonly transactionItems: TransactWriteItem[] = [];
  readonly #origin: UnitOfWorkOrigin;
  #sealed = false;

  constructor(origin: UnitOfWorkOrigin) {
    this.#origin = origin;
  }

  /** From here on the handler can add nothing: what it does behind an unawaited promise would be lost in silence. */
  seal(): void {
    this.#sealed = true;
  }

  /** Functions that need no `this`, so that handlers can take them apart. */
  get context(): UnitOfWorkContext {
    return {
      send: (destination, type, body, options) => this.#send(destination, type, body, options),
      reply: (type, body, options) => this.#send(this.#replyDestination(type), type, body, options),
      requestTimeout: (type, body, { after }) =>
        this.#send(this.#origin.endpoint, type, body, { delay: after }),
      transaction: { add: (item) => this.#add(item) },
    };
  }

  #send(destinationName: string, type: string, body: unknown, options: SendOptions = {}): void {
    if (this.#sealed) {
      throw refusal(type, destinationName, 'the handler has already returned: await every promise in it');
    }
    const destination = this.#origin.destinations.get(destinationName);
    if (destination === undefined) throw unknownDestination(destinationName, this.#origin.destinations);
    assertUserHeaders(options.headers ?? {}, type, destinationName);

    const { delay, messageGroupId = this.#groupFor(destination) } = options;
    const message: OutgoingMessage = {
      id: outgoingMessageId(this.#origin.message.id, this.#origin.endpoint, this.outgoing.length),
      destination: destinationName,
      type,
      body: detachBody(body, type, destinationName),
      headers: { ...options.headers, ...this.#ownHeaders() },
      ...(delay === undefined ? {} : { delaySeconds: toSeconds(delay) }),
      ...(messageGroupId === undefined ? {} : { messageGroupId }),
    };
    assertSendable(message, destination);
    this.outgoing.push(message);
  }

  /** Messages of one saga come one after another, and meet no other in what they lead to. */
  #groupFor(destination: Destination): string | undefined {
    const { saga } = this.#origin;
    return destination.fifo && saga ? sagaGroupId(saga) : undefined;
  }

  #add(item: TransactWriteItem): void {
    const index = this.transactionItems.length;
    if (this.#sealed) {
      throw invalidItem(index, 'the handler has already returned: await every promise in it');
    }
    assertTransactionItem(item, index);
    // A copy: what the handler does to its object afterwards changes nothing.
    this.transactionItems.push(structuredClone(item));
  }

  #ownHeaders(): Record<string, string> {
    const { message, endpoint, now } = this.#origin;
    return {
      [headerNames.conversationId]: message.headers[headerNames.conversationId] ?? message.id,
      [headerNames.causationId]: message.id,
      [headerNames.replyTo]: endpoint,
      [headerNames.sentAt]: now.toISOString(),
    };
  }

  #replyDestination(type: string): string {
    const replyTo = this.#origin.message.headers[headerNames.replyTo];
    if (replyTo !== undefined) return replyTo;
    throw refusal(
      type,
      'the sender',
      `message '${this.#origin.message.id}' has no '${headerNames.replyTo}' attribute: send to a named destination instead`,
    );
  }
}

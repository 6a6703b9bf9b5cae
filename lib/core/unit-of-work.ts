import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { delayFor } from './delay.ts';
import { type Destination, isFifo, unknownDestination } from './destination.ts';
import type { Duration } from './duration.ts';
import { SagaboxError } from './errors.ts';
import { sagaGroupId } from './fifo.ts';
import { headerNames } from './headers.ts';
import type { SagaIdentity } from './keys.ts';
import type { IncomingMessage, OutgoingMessage, OutgoingOperation } from './message.ts';
import { outgoingMessageId } from './message-id.ts';
import { assertSendable, assertUserHeaders, detachBody, refusal } from './outgoing.ts';
import type { PendingTimeout, PendingTimeouts } from './pending-timeouts.ts';
import type { MessageFormat, Sending } from './sending.ts';
import { toSqsText } from './sqs-text.ts';
import { assertTransactionItem, invalidItem } from './transaction-item.ts';

export interface PublishOptions {
  /**
   * Message attributes of your own, up to 7: SQS takes 10 on a message, and sagabox folds its own into the 3 others when
   * they get too many.
   */
  headers?: Readonly<Record<string, string>>;
  /**
   * FIFO queues and topics only.
   *
   * @default - one for each saga; outside of sagas a FIFO destination needs it
   */
  messageGroupId?: string;
  /** @default the endpoint's `messageFormat` */
  format?: MessageFormat;
}

export interface SendOptions extends PublishOptions {
  /** Up to 15 minutes by SQS itself; beyond, and to FIFO queues, by a schedule, up to a year. Queues only. */
  delay?: Duration;
}

/** What a handler can do besides changing its saga. Everything but `sendImmediately` is only recorded, and takes effect with the commit. */
export interface UnitOfWorkContext {
  /**
   * To a queue, topic or event bus, by its name.
   *
   * @throws SagaboxError `InvalidOutgoingMessage` or `Configuration`, at once, for what could not be sent.
   */
  send(destination: string, type: string, body: unknown, options?: SendOptions): void;
  /** To all who subscribe: on the topic or event bus that the endpoint publishes to. Throws as `send`. */
  publish(type: string, body: unknown, options?: PublishOptions): void;
  /** Sends to the endpoint that sent the message being handled. */
  reply(type: string, body: unknown, options?: SendOptions): void;
  /** Sends a message to this endpoint itself, after a while. */
  requestTimeout(type: string, body: unknown, options: { after: Duration }): void;
  /**
   * Takes back the timeouts of a type that this saga requested and that did not fire yet; those of a saga that completes are
   * taken back by themselves.
   *
   * @throws SagaboxError `Configuration` outside of a saga
   */
  cancelTimeout(type: string): void;
  /**
   * Sends now, past the outbox: also when the handler fails afterwards, and once more with the same id each time it is
   * tried again. For what must not wait for the commit, such as a progress report.
   *
   * @throws SagaboxError as `send`, and `DispatchFailed` or `DispatchRefused` when it was not taken
   */
  sendImmediately(destination: string, type: string, body: unknown, options?: SendOptions): Promise<void>;
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
  /** The saga whose handler sends, and its timeouts. */
  readonly saga?: { readonly identity: SagaIdentity; readonly timeouts: PendingTimeouts } | undefined;
  readonly endpoint: string;
  readonly sending: Sending;
  readonly dispatchNow: (message: OutgoingMessage) => Promise<void>;
  readonly now: Date;
}

/** Collects what one handler wants to happen. */
export class UnitOfWork {
  readonly transactionItems: TransactWriteItem[] = [];
  readonly #origin: UnitOfWorkOrigin;
  readonly #underWay: Promise<void>[] = [];
  #operations: readonly OutgoingOperation[] = [];
  #ordinals = 0;
  #immediateOrdinals = 0;
  #sealed = false;

  constructor(origin: UnitOfWorkOrigin) {
    this.#origin = origin;
  }

  get operations(): readonly OutgoingOperation[] {
    return this.#operations;
  }

  /** From here on the handler can add nothing: what it does behind an unawaited promise would be lost in silence. */
  seal(): void {
    this.#sealed = true;
  }

  /** Waits for what was sent immediately; whoever sent it has its error. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#underWay);
  }

  /** For a saga that ends. */
  cancelTimeouts(isMeant: (timeout: PendingTimeout) => boolean = () => true): void {
    for (const { id, scheduled } of this.#origin.saga?.timeouts.remove(isMeant) ?? []) {
      const isUnsent = this.#operations.some((operation) => operation.id === id);
      if (isUnsent) this.#operations = this.#operations.filter((operation) => operation.id !== id);
      else if (scheduled) this.#record({ id: this.#nextId(), cancels: id });
    }
  }

  /** Functions that need no `this`, so that handlers can take them apart. */
  get context(): UnitOfWorkContext {
    return {
      send: (destination, type, body, options) => {
        this.#record(this.#message(destination, type, body, options));
      },
      publish: (type, body, options) => {
        this.#record(this.#message(this.#publishDestination(type), type, body, options));
      },
      reply: (type, body, options) => {
        this.#record(this.#message(this.#replyDestination(type), type, body, options));
      },
      requestTimeout: (type, body, { after }) => this.#requestTimeout(type, body, after),
      cancelTimeout: (type) => this.#cancelTimeout(type),
      sendImmediately: async (destination, type, body, options) => {
        const id = this.#nextImmediateId();
        await this.#sendNow({ ...this.#message(destination, type, body, options), id });
      },
      transaction: { add: (item) => this.#add(item) },
    };
  }

  #record(operation: OutgoingOperation): void {
    this.#operations = [...this.#operations, operation];
    this.#ordinals += 1;
  }

  async #sendNow(message: OutgoingMessage): Promise<void> {
    const sending = this.#origin.dispatchNow(message);
    this.#underWay.push(sending);
    await sending;
  }

  #requestTimeout(type: string, body: unknown, after: Duration): void {
    const { saga, endpoint } = this.#origin;
    const own = saga === undefined ? {} : { [headerNames.timeout]: 'true' };
    const message = this.#message(endpoint, type, body, { delay: after }, own);
    this.#record(message);
    saga?.timeouts.add({ id: message.id, type, scheduled: message.dueAt !== undefined });
  }

  #cancelTimeout(type: string): void {
    this.#assertOpen(type, 'a timeout');
    if (this.#origin.saga === undefined) throw noTimeouts();
    this.cancelTimeouts((timeout) => timeout.type === type);
  }

  #message(
    destinationName: string,
    type: string,
    body: unknown,
    options: SendOptions = {},
    ownHeaders: Readonly<Record<string, string>> = {},
  ): OutgoingMessage {
    this.#assertOpen(type, destinationName);
    const { sending, now } = this.#origin;
    const destination = sending.destinations.get(destinationName);
    if (destination === undefined) throw unknownDestination(destinationName, sending.destinations);
    const { headers = {}, messageGroupId = this.#groupFor(destination), format = sending.format } = options;
    assertUserHeaders(headers, type, destinationName);
    const refuse = (detail: string): never => {
      throw refusal(type, destinationName, detail);
    };
    const message: OutgoingMessage = {
      id: this.#nextId(),
      destination: destinationName,
      type,
      body: detachBody(body, type, destinationName),
      headers: { ...this.#trace(), ...headers, ...this.#ownHeaders(), ...ownHeaders },
      ...delayFor(options.delay, destination, sending, now, refuse),
      ...(messageGroupId === undefined ? {} : { messageGroupId }),
      ...(format === 'plain' ? {} : { format }),
    };
    assertSendable(message, destination, sending);
    return message;
  }

  #assertOpen(type: string, destination: string): void {
    if (!this.#sealed) return;
    throw refusal(type, destination, 'the handler has already returned: await every promise in it');
  }

  /** Another one for each operation that is recorded, also when one is taken back. */
  #nextId(): string {
    const { message, endpoint } = this.#origin;
    return outgoingMessageId(message.id, endpoint, this.#ordinals);
  }

  /** Apart from those of the outbox: what was sent by an attempt that failed must not share its id with another message. */
  #nextImmediateId(): string {
    const { message, endpoint } = this.#origin;
    this.#immediateOrdinals += 1;
    return outgoingMessageId(message.id, endpoint, `immediately ${this.#immediateOrdinals}`);
  }

  /** Messages of one saga come one after another, and meet no other in what they lead to. */
  #groupFor(destination: Destination): string | undefined {
    const { saga } = this.#origin;
    return isFifo(destination) && saga ? sagaGroupId(saga.identity) : undefined;
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

  #trace(): Record<string, string> {
    const { [headerNames.traceParent]: traceParent } = this.#origin.message.headers;
    return traceParent ? { [headerNames.traceParent]: traceParent } : {};
  }

  #ownHeaders(): Record<string, string> {
    const { message, saga, endpoint, now } = this.#origin;
    return {
      [headerNames.conversationId]: toSqsText(message.headers[headerNames.conversationId] || message.id),
      [headerNames.causationId]: toSqsText(message.id),
      ...(saga && {
        [headerNames.saga]: toSqsText(saga.identity.name),
        [headerNames.correlationId]: toSqsText(saga.identity.id),
      }),
      [headerNames.replyTo]: endpoint,
      [headerNames.sentAt]: now.toISOString(),
    };
  }

  #publishDestination(type: string): string {
    const { publishTo } = this.#origin.sending;
    const destination = Object.hasOwn(publishTo, type) ? publishTo[type] : publishTo['*'];
    if (destination !== undefined) return destination;
    throw new SagaboxError('Configuration', {
      setting: `publish '${type}'`,
      problem: 'the endpoint publishes to no topic or event bus',
      remedy: "Add one with the construct's publishesTo, in SAGABOX_PUBLISH_TO, or in the option 'publishTo'",
    });
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

function noTimeouts(): SagaboxError<'Configuration'> {
  return new SagaboxError('Configuration', {
    setting: 'cancelTimeout',
    problem: 'only a saga keeps track of its timeouts',
    remedy:
      'Call it in the handler of a saga, or let the handler of the timeout decide what is still to be done',
  });
}

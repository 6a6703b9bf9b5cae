import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { SagaIdentity } from '../dynamodb/keys.ts';
import { beforeAbort } from '../kernel/async/before-abort.ts';
import type { Duration } from '../kernel/duration.ts';
import { configurationError } from '../kernel/errors/errors.ts';
import { roundedIntegerIn } from '../kernel/values/rounded-integer.ts';
import type { SenderContracts } from '../messages/contracts/contract.ts';
import { type TakesChecks, takeChecks } from '../messages/contracts/listed-contracts.ts';
import { type Refuse, refuserOf } from '../messages/contracts/refusal.ts';
import { type Destination, isFifo, unknownDestination } from '../messages/destinations/destination.ts';
import { headerNames, isTraceParent } from '../messages/headers.ts';
import {
  type IncomingMessage,
  isScheduled,
  type OutgoingMessage,
  type OutgoingOperation,
} from '../messages/message.ts';
import { outgoingMessageId } from '../messages/message-id.ts';
import { sagaGroupId } from '../messages/wire-format/group-id.ts';
import { encodeForSqs } from '../messages/wire-format/sqs-characters.ts';
import { composeMessage } from './compose-message.ts';
import { roundedIn, type TellsRounded } from './key-check.ts';
import { detachOptions } from './outgoing.ts';
import type { PendingTimeout, PendingTimeouts } from './pending-timeouts.ts';
import { SAGA_VERSION_PLACE } from './saga-version.ts';
import type { Sending } from './sending.ts';
import { SentChecks } from './sent-checks.ts';
import { detachTransactionItem, invalidItem } from './transaction-item.ts';
import type { SendOptions, UnitOfWorkContext } from './unit-of-work-context.ts';

export interface SendingSaga {
  readonly identity: SagaIdentity;
  readonly timeouts: PendingTimeouts;
  /** The types of the messages that the saga takes as timeouts. */
  readonly messageTypes: readonly string[];
}

export interface UnitOfWorkOrigin {
  readonly message: IncomingMessage;
  /** The body before its schema. @default - the body of the message */
  readonly receivedBody?: unknown;
  readonly saga?: SendingSaga | undefined;
  readonly endpoint: string;
  readonly sending: Sending;
  readonly dispatchNow: (message: OutgoingMessage) => Promise<void>;
  /** The trace headers of all messages. @default - the `traceparent` of the received message */
  readonly traceHeaders?: Readonly<Record<string, string>> | undefined;
  readonly now: Date;
}

export class UnitOfWork {
  readonly transactionItems: TransactWriteItem[] = [];
  /** Checks what the handler sends, by contracts. */
  readonly checks: SentChecks;
  readonly #origin: UnitOfWorkOrigin;
  readonly #underWay: Promise<void>[] = [];
  #operations: OutgoingOperation[] = [];
  /** The number of operations that were recorded, also of those that were taken back. */
  #ordinals = 0;
  #immediateOrdinals = 0;
  #sealed = false;

  constructor(origin: UnitOfWorkOrigin) {
    this.#origin = origin;
    this.checks = new SentChecks(origin.sending);
  }

  get operations(): readonly OutgoingOperation[] {
    return this.#operations;
  }

  /** Ends the additions of the handler: one behind an unawaited promise would be lost silently. */
  seal(): void {
    this.#sealed = true;
  }

  /** Whether anything was sent immediately. */
  get isSending(): boolean {
    return this.#underWay.length > 0;
  }

  /**
   * Waits for messages that are sent immediately, until the signal is aborted: then the invocation ends.
   *
   * @returns the errors of messages that were not sent; a handler that awaits a message has its error too
   */
  async settle(signal: AbortSignal): Promise<readonly unknown[]> {
    if (this.#underWay.length === 0) return [];
    const ended = beforeAbort(Promise.allSettled(this.#underWay), signal);
    const outcomes = await ended.catch(() => []);
    return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
  }

  /** Cancels timeouts of the saga, by default all, as for a saga that ends. */
  cancelTimeouts(isMeant: (timeout: PendingTimeout) => boolean = () => true): void {
    for (const { id, scheduled } of this.#origin.saga?.timeouts.remove(isMeant) ?? []) {
      const isUnsent = this.#operations.some((operation) => operation.id === id);
      if (isUnsent) this.#operations = this.#operations.filter((operation) => operation.id !== id);
      else if (scheduled) this.#record({ id: this.#idOf(this.#ordinals), cancels: id });
    }
  }

  /** Sends a message of the saga to itself, without a delay. */
  requestAtOnce(type: string, body: unknown, headers: Readonly<Record<string, string>>): void {
    this.#request(type, body, { seconds: 0 }, headers);
  }

  /** The functions of a handler. They need no `this`, so that handlers can take them apart. */
  get context(): UnitOfWorkContext & TakesChecks & TellsRounded {
    return {
      [takeChecks]: (checks) => this.checks.take(checks),
      [roundedIn]: (key) => {
        const { message, receivedBody = message.body } = this.#origin;
        return roundedIntegerIn(key, receivedBody, message.body);
      },
      send: (destination, type, body, options) => {
        this.#recordChecked('sends', this.#message(destination, type, body, options));
      },
      publish: (type, body, options) => {
        this.#recordChecked('publishes', this.#message(this.#publishDestination(type), type, body, options));
      },
      reply: (type, body, options) => {
        this.#recordChecked('replies', this.#message(this.#replyDestination(type), type, body, options));
      },
      requestTimeout: (type, body, options) => this.#requestTimeout(type, body, options),
      cancelTimeout: (type) => this.#cancelTimeout(type),
      sendImmediately: (destination, type, body, options) => {
        const sending = this.#sendImmediately(destination, type, body, options);
        // If the handler does not await it, its error is told at the end, rather than end the process.
        sending.catch(() => {});
        this.#underWay.push(sending);
        return sending;
      },
      transaction: { add: (item) => this.#add(item) },
    };
  }

  #record(operation: OutgoingOperation): void {
    this.#operations.push(operation);
    this.#ordinals += 1;
  }

  #recordChecked(list: keyof SenderContracts, message: OutgoingMessage): void {
    void this.checks.check(list, message);
    this.#record(message);
  }

  async #sendImmediately(...parameters: Parameters<UnitOfWorkContext['sendImmediately']>): Promise<void> {
    this.#immediateOrdinals += 1;
    // The id is none of the outbox's: what a failed attempt sent must not share its id with another message.
    const id = this.#idOf(`immediately ${this.#immediateOrdinals}`);
    const message = this.#message(...parameters);
    await this.checks.check('sends', message);
    // No commit is known to follow, which could give the saga a version.
    const { [headerNames.sagaVersion]: _place, ...headers } = message.headers;
    await this.#origin.dispatchNow({ ...message, id, headers });
  }

  #requestTimeout(type: string, body: unknown, options: { after: Duration } | null | undefined): void {
    const refuse: Refuse = this.#assertOpen(type, this.#origin.endpoint);
    const { after } = detachOptions(options, ['after'], refuse);
    if (after === undefined) refuse('a timeout needs a time: pass { after: { minutes: 5 } } or the like');
    this.#assertTaken(type, refuse);
    this.#request(type, body, after);
  }

  #request(
    type: string,
    body: unknown,
    after: Duration,
    headers: Readonly<Record<string, string>> = {},
  ): void {
    const { saga, endpoint } = this.#origin;
    const own = saga === undefined ? {} : { ...headers, [headerNames.timeout]: 'true' };
    const message = this.#message(endpoint, type, body, { delay: after }, own);
    this.#recordChecked('timeouts', message);
    saga?.timeouts.add({ id: message.id, type, scheduled: isScheduled(message) });
  }

  #cancelTimeout(type: string): void {
    this.#assertOpen(type, 'a timeout');
    const { saga, endpoint } = this.#origin;
    if (saga === undefined) {
      const remedy = 'Call it in the handler of a saga';
      throw configurationError('cancelTimeout', 'only a saga keeps track of its timeouts', remedy);
    }
    this.#assertTaken(type, refuserOf(type, endpoint));
    this.cancelTimeouts((timeout) => timeout.type === type);
  }

  #message(
    destinationName: string,
    type: string,
    body: unknown,
    options: SendOptions | null | undefined,
    ownHeaders: Readonly<Record<string, string>> = {},
  ): OutgoingMessage {
    const refuse: Refuse = this.#assertOpen(type, destinationName);
    const { sending, now } = this.#origin;
    const destination = sending.destinations.get(destinationName);
    if (destination === undefined) throw unknownDestination(destinationName, sending.destinations);
    const headersWith = (given: Readonly<Record<string, string>>) => ({
      ...(headerNames.traceParent in given ? {} : this.#traceHeaders()),
      ...given,
      ...this.#ownHeaders(),
      ...ownHeaders,
    });
    const id = this.#idOf(this.#ordinals);
    const groupId = this.#groupFor(destination);
    return composeMessage(
      { id, type, body, options, headersWith, groupId },
      destination,
      sending,
      now,
      refuse,
    );
  }

  /** Refuses a timeout that the saga does not take: no other saga of the endpoint would get it. */
  #assertTaken(type: string, refuse: Refuse): void {
    const { saga, endpoint } = this.#origin;
    if (saga === undefined || saga.messageTypes.includes(type)) return;
    refuse(
      `the '${saga.identity.name}' saga takes no such message as a timeout, so that it would reach nobody: ` +
        `add it to 'messages', take it out of 'appendedBy', or send it to '${endpoint}' with a delay`,
    );
  }

  /** @returns the function that refuses such a message for other reasons */
  #assertOpen(type: string, destination: string): Refuse {
    const refuse: Refuse = refuserOf(type, destination);
    if (typeof type !== 'string' || typeof destination !== 'string') {
      refuse('its type and its destination have to be strings');
    }
    if (this.#sealed) refuse(HANDLER_HAS_RETURNED);
    return refuse;
  }

  #idOf(ordinal: number | string): string {
    const { message, endpoint } = this.#origin;
    return outgoingMessageId(message.id, endpoint, ordinal);
  }

  /** Returns the group of a saga on FIFO destinations: its messages come one after another. */
  #groupFor(destination: Destination): string | undefined {
    const { saga } = this.#origin;
    return isFifo(destination) && saga ? sagaGroupId(saga.identity) : undefined;
  }

  #add(item: TransactWriteItem): void {
    const index = this.transactionItems.length;
    if (this.#sealed) throw invalidItem(index, HANDLER_HAS_RETURNED);
    this.transactionItems.push(detachTransactionItem(item, index));
  }

  #traceHeaders(): Readonly<Record<string, string>> {
    const { message, traceHeaders } = this.#origin;
    if (traceHeaders) return traceHeaders;
    const { [headerNames.traceParent]: traceParent } = message.headers;
    return isTraceParent(traceParent) ? { [headerNames.traceParent]: traceParent } : {};
  }

  #ownHeaders(): Record<string, string> {
    const { message, saga, endpoint, now } = this.#origin;
    return {
      [headerNames.conversationId]: encodeForSqs(message.headers[headerNames.conversationId] || message.id),
      [headerNames.causationId]: encodeForSqs(message.id),
      ...(saga && {
        [headerNames.saga]: encodeForSqs(saga.identity.name),
        [headerNames.correlationId]: encodeForSqs(saga.identity.id),
        [headerNames.sagaVersion]: SAGA_VERSION_PLACE,
      }),
      [headerNames.replyTo]: endpoint,
      [headerNames.sentAt]: now.toISOString(),
    };
  }

  #publishDestination(type: string): string {
    this.#assertOpen(type, 'its topic or event bus');
    const { publishTo } = this.#origin.sending;
    const destination = Object.hasOwn(publishTo, type) ? publishTo[type] : publishTo['*'];
    if (destination !== undefined) return destination;
    throw configurationError(
      `publish '${type}'`,
      'the endpoint publishes to no topic or event bus',
      "Add one with the construct's publishesTo, in SAGABOX_PUBLISH_TO, or in the option 'publishTo'",
    );
  }

  #replyDestination(type: string): string {
    const refuse = this.#assertOpen(type, 'the sender');
    const { id, headers } = this.#origin.message;
    return (
      headers[headerNames.replyTo] ??
      refuse(`message '${id}' has no '${headerNames.replyTo}' attribute: send to a named destination instead`)
    );
  }
}

const HANDLER_HAS_RETURNED = 'the handler has already returned: await every promise in it';

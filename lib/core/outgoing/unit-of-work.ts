import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { beforeAbort } from '../async/before-abort.ts';
import type { Duration } from '../duration.ts';
import { SagaboxError } from '../failures/errors.ts';
import { headerNames } from '../incoming/headers.ts';
import {
  type IncomingMessage,
  isScheduled,
  type OutgoingMessage,
  type OutgoingOperation,
} from '../incoming/message.ts';
import { isTraceParent } from '../incoming/trace-parent.ts';
import type { PendingTimeout, PendingTimeouts } from '../saga/pending-timeouts.ts';
import { sagaGroupId } from '../saga/saga-group-id.ts';
import type { SagaIdentity } from '../storage/keys.ts';
import { toSqsText } from '../wire-format/sqs-text.ts';
import { delayFor } from './delay.ts';
import { type Destination, isFifo, unknownDestination } from './destination.ts';
import { outgoingMessageId } from './message-id.ts';
import {
  assertSendable,
  assertUserHeaders,
  detachBody,
  detachOptions,
  refusal,
  textOrKind,
} from './outgoing.ts';
import { messageFormats, type Sending } from './sending.ts';
import { detachTransactionItem, invalidItem } from './transaction-item.ts';
import type { SendOptions, UnitOfWorkContext } from './unit-of-work-context.ts';

export interface SendingSaga {
  readonly identity: SagaIdentity;
  /** The one that a write would give it. */
  readonly nextVersion: number;
  readonly timeouts: PendingTimeouts;
  /** The message types that it takes. */
  readonly messageTypes: readonly string[];
}

export interface UnitOfWorkOrigin {
  readonly message: IncomingMessage;
  /** The saga whose handler sends, and its timeouts. */
  readonly saga?: SendingSaga | undefined;
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
  #operations: OutgoingOperation[] = [];
  #ordinals = 0;
  #immediateOrdinals = 0;
  #sealed = false;

  constructor(origin: UnitOfWorkOrigin) {
    this.#origin = origin;
  }

  get operations(): readonly OutgoingOperation[] {
    return this.#operations;
  }

  /**
   * From here on the handler can add nothing: what it does behind an unawaited promise would be lost in
   * silence.
   */
  seal(): void {
    this.#sealed = true;
  }

  /**
   * Waits for what was sent immediately, but not beyond the signal: then the invocation ends.
   *
   * @returns why something was not sent; whoever awaits it in the handler has that error too
   */
  async settle(signal: AbortSignal): Promise<readonly unknown[]> {
    if (this.#underWay.length === 0) return [];
    const ended = beforeAbort(Promise.allSettled(this.#underWay), signal);
    const outcomes = await ended.catch(() => []);
    return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
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
      requestTimeout: (type, body, options) => this.#requestTimeout(type, body, options),
      cancelTimeout: (type) => this.#cancelTimeout(type),
      sendImmediately: (destination, type, body, options) => {
        const sending = this.#sendImmediately(destination, type, body, options);
        // Nobody may await it: then its error is told at the end, rather than end the process.
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

  async #sendImmediately(...parameters: Parameters<UnitOfWorkContext['sendImmediately']>): Promise<void> {
    const id = this.#nextImmediateId();
    const message = this.#message(...parameters);
    // No commit is known to follow, which could give the saga that version.
    const { [headerNames.sagaVersion]: _version, ...headers } = message.headers;
    await this.#origin.dispatchNow({ ...message, id, headers });
  }

  #requestTimeout(type: string, body: unknown, options: { after: Duration } | null | undefined): void {
    const { saga, endpoint } = this.#origin;
    this.#assertOpen(type, endpoint);
    const { after } = detachOptions(options, ['after'], type, endpoint);
    if (after === undefined) {
      throw refusal(type, endpoint, 'a timeout needs a time: pass { after: { minutes: 5 } } or the like');
    }
    this.#assertTaken(type);
    const own = saga === undefined ? {} : { [headerNames.timeout]: 'true' };
    const message = this.#message(endpoint, type, body, { delay: after }, own);
    this.#record(message);
    saga?.timeouts.add({ id: message.id, type, scheduled: isScheduled(message) });
  }

  #cancelTimeout(type: string): void {
    this.#assertOpen(type, 'a timeout');
    if (this.#origin.saga === undefined) throw noTimeouts();
    this.#assertTaken(type);
    this.cancelTimeouts((timeout) => timeout.type === type);
  }

  #message(
    destinationName: string,
    type: string,
    body: unknown,
    options: SendOptions | null | undefined,
    ownHeaders: Readonly<Record<string, string>> = {},
  ): OutgoingMessage {
    this.#assertOpen(type, destinationName);
    const { sending, now } = this.#origin;
    const destination = sending.destinations.get(destinationName);
    if (destination === undefined) throw unknownDestination(destinationName, sending.destinations);
    const {
      headers = {},
      messageGroupId = this.#groupFor(destination),
      format = sending.format,
      delay,
    } = detachOptions(options, sendOptions, type, destinationName);
    const refuse = (detail: string): never => {
      throw refusal(type, destinationName, detail);
    };
    assertUserHeaders(headers, type, destinationName);
    if (!messageFormats.includes(format))
      refuse(`its format is ${JSON.stringify(textOrKind(format))}, none of ${messageFormats.join(', ')}`);
    const message: OutgoingMessage = {
      id: this.#nextId(),
      destination: destinationName,
      type,
      body: detachBody(body, type, destinationName),
      headers: { ...this.#trace(), ...headers, ...this.#ownHeaders(), ...ownHeaders },
      ...delayFor(delay, destination, sending, now, refuse),
      ...(messageGroupId === undefined ? {} : { messageGroupId }),
      ...(format === 'plain' ? {} : { format }),
    };
    assertSendable(message, destination, sending);
    return message;
  }

  /** A timeout is for the saga that requests it, and for no other one of the endpoint. */
  #assertTaken(type: string): void {
    const { saga, endpoint } = this.#origin;
    if (saga === undefined || saga.messageTypes.includes(type)) return;
    const detail = `the '${saga.identity.name}' saga takes no such message, so that its timeout would reach nobody: add it to 'messages', or send it to '${endpoint}' with a delay`;
    throw refusal(type, endpoint, detail);
  }

  #assertOpen(type: string, destination: string): void {
    if (typeof type !== 'string' || typeof destination !== 'string') {
      throw refusal(type, destination, 'its type and its destination have to be texts');
    }
    if (!this.#sealed) return;
    throw refusal(type, destination, 'the handler has already returned: await every promise in it');
  }

  /** Another one for each operation that is recorded, also when one is taken back. */
  #nextId(): string {
    const { message, endpoint } = this.#origin;
    return outgoingMessageId(message.id, endpoint, this.#ordinals);
  }

  /**
   * Apart from those of the outbox: what was sent by an attempt that failed must not share its id with
   * another message.
   */
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
    this.transactionItems.push(detachTransactionItem(item, index));
  }

  #trace(): Record<string, string> {
    const { [headerNames.traceParent]: traceParent } = this.#origin.message.headers;
    return isTraceParent(traceParent) ? { [headerNames.traceParent]: traceParent } : {};
  }

  #ownHeaders(): Record<string, string> {
    const { message, saga, endpoint, now } = this.#origin;
    return {
      [headerNames.conversationId]: toSqsText(message.headers[headerNames.conversationId] || message.id),
      [headerNames.causationId]: toSqsText(message.id),
      ...(saga && {
        [headerNames.saga]: toSqsText(saga.identity.name),
        [headerNames.correlationId]: toSqsText(saga.identity.id),
        [headerNames.sagaVersion]: String(saga.nextVersion),
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
    throw new SagaboxError('Configuration', {
      setting: `publish '${type}'`,
      problem: 'the endpoint publishes to no topic or event bus',
      remedy: "Add one with the construct's publishesTo, in SAGABOX_PUBLISH_TO, or in the option 'publishTo'",
    });
  }

  #replyDestination(type: string): string {
    this.#assertOpen(type, 'the sender');
    const replyTo = this.#origin.message.headers[headerNames.replyTo];
    if (replyTo !== undefined) return replyTo;
    throw refusal(
      type,
      'the sender',
      `message '${this.#origin.message.id}' has no '${headerNames.replyTo}' attribute: send to a named destination instead`,
    );
  }
}

const sendOptions = ['headers', 'messageGroupId', 'format', 'delay'] as const;

function noTimeouts(): SagaboxError<'Configuration'> {
  return new SagaboxError('Configuration', {
    setting: 'cancelTimeout',
    problem: 'only a saga keeps track of its timeouts',
    remedy: 'Call it in the handler of a saga',
  });
}

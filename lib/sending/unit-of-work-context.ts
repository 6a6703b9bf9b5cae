import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import type { Duration } from '../kernel/duration.ts';
import type { SenderContracts } from '../messages/contracts/contract.ts';
import type {
  NoContracts,
  PublishBody,
  PublishType,
  ReplyBody,
  ReplyType,
  SendBody,
  SendDestination,
  SendType,
  TimeoutBody,
  TimeoutType,
} from '../messages/contracts/sender-contracts.ts';
import type { MessageFormat } from './sending.ts';

export interface PublishOptions {
  /**
   * Message attributes of your own, up to 7, or 6 in the CloudEvents format: SQS takes 10 on a message, and
   * sagabox folds its own into the 3 others when they get too many.
   */
  headers?: Readonly<Record<string, string>>;
  /**
   * The message group, which FIFO queues and topics need.
   *
   * @default - one for each saga; outside of sagas a FIFO destination needs it
   */
  messageGroupId?: string;
  /** @default the endpoint's `messageFormat` */
  format?: MessageFormat;
}

export interface SendOptions extends PublishOptions {
  /**
   * The delay of a message to a queue: up to 15 minutes by SQS itself; beyond, and to FIFO queues, by a
   * schedule, up to a year.
   */
  delay?: Duration;
}

/**
 * The operations of a handler. All but `sendImmediately` are only recorded, and take effect with the commit.
 *
 * @typeParam Listed the contracts of messages that may be sent, as in `{ sends: [typeof billing] }`
 */
export interface UnitOfWorkContext<Listed extends SenderContracts = NoContracts> {
  /**
   * Sends to a queue, topic or event bus, by its name.
   *
   * @throws SagaboxError `InvalidOutgoingMessage` or `Configuration`, at once, for a message that could not
   *   be sent.
   */
  send<Destination extends SendDestination<Listed>, Type extends SendType<Listed, Destination>>(
    destination: Destination,
    type: Type,
    body: SendBody<Listed, Destination, Type>,
    options?: SendOptions,
  ): void;
  /** Sends to all subscribers, on the topic or event bus that the endpoint publishes to. Throws as `send`. */
  publish<Type extends PublishType<Listed>>(
    type: Type,
    body: PublishBody<Listed, Type>,
    options?: PublishOptions,
  ): void;
  /** Sends to the endpoint that sent the message being handled. */
  reply<Type extends ReplyType<Listed>>(
    type: Type,
    body: ReplyBody<Listed, Type>,
    options?: SendOptions,
  ): void;
  /** Sends a message to this endpoint itself, after a while. A saga takes its own message types only. */
  requestTimeout<Type extends TimeoutType<Listed>>(
    type: Type,
    body: TimeoutBody<Listed, Type>,
    options: { after: Duration },
  ): void;
  /**
   * Cancels the timeouts of a type that this saga requested and that did not fire yet. Those of a saga that
   * completes are cancelled by themselves.
   *
   * @throws SagaboxError `Configuration` outside of a saga
   */
  cancelTimeout(type: TimeoutType<Listed>): void;
  /**
   * Sends now, without the outbox: also when the handler fails afterwards, and once more with the same id
   * each time the handler is retried. Use it for a message that must not wait for the commit, such as a
   * progress report.
   *
   * @throws SagaboxError as `send`, and `DispatchFailed` or `DispatchRefused` when the message was not taken
   */
  sendImmediately<Destination extends SendDestination<Listed>, Type extends SendType<Listed, Destination>>(
    destination: Destination,
    type: Type,
    body: SendBody<Listed, Destination, Type>,
    options?: SendOptions,
  ): Promise<void>;
  readonly transaction: {
    /**
     * Adds a write of your own, which commits together with the saga and the outgoing messages, or not at
     * all.
     *
     * @throws SagaboxError `InvalidTransactionItem`, at once, for an item that is no single write of a table
     */
    add(item: TransactWriteItem): void;
  };
}

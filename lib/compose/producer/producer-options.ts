import type { SQSClient } from '@aws-sdk/client-sqs';
import type { SdkClient } from '../../kernel/calls/sdk-client.ts';
import type { Duration } from '../../kernel/duration.ts';
import type { Contract } from '../../messages/contracts/contract.ts';
import type { ContractBody, ContractType } from '../../messages/contracts/sender-contracts.ts';
import type { MessageFormat } from '../../sending/sending.ts';
import type { Tracing } from '../../sending/tracing.ts';
import type { SendOptions } from '../../sending/unit-of-work-context.ts';

/** The destination of a producer. An undefined address is refused with the first message, not before. */
export type ProducerAddress =
  | { queueUrl: string | undefined; topicArn?: never; eventBus?: never }
  | { topicArn: string | undefined; queueUrl?: never; eventBus?: never }
  /** The name or ARN of an event bus. */
  | { eventBus: string | undefined; queueUrl?: never; topicArn?: never };

export type ProducerOptions<C extends Contract = Contract> = ProducerAddress & {
  /**
   * The contract with the messages that the destination takes.
   *
   * @default - any type and body
   */
  contract?: C;
  /**
   * The endpoint that the messages come from: replies go to it, and events have it in their source.
   *
   * @default the environment variable SAGABOX_ENDPOINT, else none; events come from 'producer'
   */
  endpoint?: string;
  /**
   * The `MaximumMessageSize` of the queue or topic.
   *
   * @default 262144
   */
  maxMessageSizeBytes?: number;
  /**
   * How messages are written: the body as plain JSON, or in a CloudEvents 1.0 envelope.
   *
   * @default 'plain'
   */
  messageFormat?: MessageFormat;
  /**
   * Whether messages are checked against the contract, bodies by their schemas.
   *
   * @default true
   */
  validateOutgoing?: boolean;
  /**
   * Makes a span of each send, in whose trace the messages are handled: `openTelemetry()` of
   * `sagabox/opentelemetry`.
   *
   * @default - none is made
   */
  tracing?: Tracing;
  /** @default a client with time limits on each call, shared by the process */
  sqsClient?: SQSClient;
  /** An `SNSClient` of `@aws-sdk/client-sns`. @default one is made when it is first needed */
  snsClient?: SdkClient;
  /** An `EventBridgeClient` of `@aws-sdk/client-eventbridge`. @default one is made when it is first needed */
  eventBridgeClient?: SdkClient;
};

export interface ProduceOptions extends SendOptions {
  /** The delay: up to 15 minutes, to standard queues only, as a producer has no scheduler. */
  delay?: Duration;
  /** @default the producer's `messageFormat` */
  format?: MessageFormat;
  /**
   * The subject of the message, such as the order's id. The same key and type give the same message id, so
   * that a message that is sent again is a duplicate for its receiver.
   *
   * @default - each call makes a new message
   */
  key?: string;
}

/** One message of a batch. */
export type ProducerMessage<C extends Contract = Contract> = {
  [Type in ContractType<C>]: ProduceOptions & {
    readonly type: Type;
    readonly body: ContractBody<C, Type>;
  };
}[ContractType<C>];

/** Sends messages without a transaction; made by `createProducer`. */
export interface Producer<C extends Contract = Contract> {
  /**
   * Sends one message, and waits until the service has taken it.
   *
   * @returns the id of the message
   * @throws SagaboxError `InvalidOutgoingMessage` for what could not be sent, `MessagesNotSent` or
   *   `MessagesRefused` when the service did not take it, `Configuration` when the address is missing
   */
  send<Type extends ContractType<C>>(
    type: Type,
    body: ContractBody<C, Type>,
    options?: ProduceOptions,
  ): Promise<string>;
  /**
   * Sends messages in as few calls as possible. On a FIFO queue or topic, those of a group keep their order.
   *
   * @returns the ids of the messages, in their order
   * @throws SagaboxError `InvalidOutgoingMessage`, with the `index` of the first message that could not be
   *   sent, before any of them is; `MessagesNotSent` or `MessagesRefused` with the entries that the service
   *   did not take, while it took all others; `Configuration` when the address is missing
   */
  sendBatch(messages: readonly ProducerMessage<C>[]): Promise<readonly string[]>;
}

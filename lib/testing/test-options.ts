import type { Context as LambdaContext } from 'aws-lambda';
import { optionChecks, takerOf } from '../compose/assert-options.ts';
import type { EndpointOptions } from '../compose/options.ts';
import {
  aNonEmptyString,
  aNumber,
  anObject,
  aString,
  assertOptionKinds,
  trueOrFalse,
  withMethods,
} from '../kernel/checks/checks.ts';
import type { DestinationAddress } from '../messages/destinations/destination.ts';
import type { EnvelopeOptions } from '../messages/envelope.ts';
import type { MessageLogger } from '../messages/logger.ts';
import type { StateMapper } from '../saga/item/mapper.dynamodb.ts';
import type { TestTable } from './tables/test-tables.ts';

export interface TestOptions
  extends EnvelopeOptions,
    Pick<EndpointOptions, 'messageFormat' | 'claimCheck' | 'validateOutgoing'> {
  /**
   * The name of the endpoint under test.
   *
   * @default 'test'
   */
  endpoint?: string;
  /**
   * Names, or queue URLs by name, of what can be sent to. One that ends in `.fifo` is a FIFO queue. The
   * endpoint itself and the sender of the messages are always among them. A name stands for an endpoint of
   * the constructs, whose queue takes 1 MiB; a URL, as in production, for a queue of 256 KiB unless it is
   * given with its `maxMessageSizeBytes`.
   *
   * @default every name
   */
  destinations?: readonly string[] | Readonly<Record<string, DestinationAddress>>;
  /**
   * The name of the destination that `publish` sends to, or one for each message type.
   *
   * @default 'events'
   */
  publishTo?: string | Readonly<Record<string, string>>;
  /**
   * Whether the endpoint has a scheduler: without one, delays of more than 15 minutes are refused, and all
   * delays to FIFO queues.
   *
   * @default true
   */
  scheduler?: boolean;
  /**
   * The time at the start; it moves by `advance` and `fireTimeouts` only.
   *
   * @default 2026-01-01T00:00:00Z
   */
  now?: Date;
  /** @default the one of `sagaOutbox`: plain objects to and from DynamoDB's types */
  mapper?: StateMapper;
  /**
   * Tables of your own, by name: conditions of `transaction.add` are evaluated on them, as far as
   * docs/guide/testing.md says, and writes change them.
   *
   * @default none: conditions are taken to hold, and listed in `unevaluatedConditions`
   */
  tables?: Readonly<Record<string, TestTable>>;
  /** @default one that logs nothing */
  logger?: MessageLogger;
  /**
   * Parts of the Lambda context that the handler reads.
   *
   * @default those of a function 'test', with half a minute left
   */
  context?: Partial<LambdaContext>;
}

export interface SagaTestOptions extends TestOptions {
  /**
   * Sagas that are there at the start, by their correlation value: for the next message to find them, also in
   * the form that an earlier version of the code stored.
   *
   * @default none
   */
  sagas?: Readonly<Record<string, StoredSagaState>>;
}

/** A saga that an earlier message left. */
export interface StoredSagaState {
  readonly state: object;
  /** @default - the version that the saga writes; with `migrate`, one more than the last that it migrates */
  readonly stateVersion?: number;
}

export interface DeliveryOptions {
  /**
   * The message's id; one that was delivered before makes it a duplicate.
   *
   * @default 'message-1', 'message-2' and so on
   */
  id?: string;
  /**
   * Message attributes.
   *
   * @default none besides those of sagabox
   */
  headers?: Readonly<Record<string, string>>;
  /**
   * The endpoint that sent the message, and that `reply` sends to.
   *
   * @default 'sender'
   */
  replyTo?: string;
  /** @default 1 */
  receiveCount?: number;
}

const deliveryChecks = {
  id: aNonEmptyString,
  headers: anObject,
  replyTo: aString,
  receiveCount: aNumber,
} satisfies Record<keyof Required<DeliveryOptions>, unknown>;

/** @throws SagaboxError `Configuration` */
export function assertDeliveryOptions(options: DeliveryOptions): void {
  assertOptionKinds('deliver', options, deliveryChecks, { page: testPage });
}

/** Where the options of the test kit are described. */
export const testPage = 'docs/guide/testing.md';

/** @throws SagaboxError `Configuration` */
export function assertTestOptions(options: SagaTestOptions): void {
  const { claimCheck, defaultMessageType, destinations, endpoint, logger } = optionChecks;
  const { mapper, messageFormat, parse, publishTo, validateOutgoing } = optionChecks;
  const checks = {
    claimCheck,
    context: anObject,
    defaultMessageType,
    destinations,
    endpoint,
    handleReplays: trueOrFalse,
    logger,
    mapper,
    messageFormat,
    now: withMethods('toISOString'),
    parse,
    publishTo,
    sagas: anObject,
    scheduler: trueOrFalse,
    tables: anObject,
    validateOutgoing,
  } satisfies Record<keyof Required<SagaTestOptions>, unknown>;
  assertOptionKinds('the test kit', options, checks, { takerOf });
}

import type { Duration } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { listOf } from '../../kernel/checks/checks.ts';
import { aConstruct, aTable, oneOf } from '../checks/prop-kinds.ts';
import type { PropRows } from '../checks/prop-rows.ts';
import type { ClaimCheckOptions } from '../claim-check/claim-check.ts';
import type { ClaimCheckBucket } from '../claim-check/claim-check-bucket.ts';
import type { AnyFunction, AnyTable } from '../construct-types.ts';
import { anyEndpointRows } from '../endpoint/endpoint-rows.ts';
import type { MessageScheduler } from '../scheduler/message-scheduler.ts';

export interface SendOnlyEndpointProps {
  /**
   * The name of the endpoint, which its messages carry, and the scope of its records. A deployed endpoint that
   * you rename forgets which requests it has answered. Without `#`.
   *
   * @default - the construct's id in lower case
   */
  readonly endpointName?: string;

  /**
   * An {@link OutboxTable}, a {@link MessagingTable}, or any table whose partition key and sort key are
   * strings. It can be that of other endpoints.
   */
  readonly outboxTable: AnyTable;

  /**
   * Functions that run sessions of the endpoint, as by {@link SendOnlyEndpoint.addFunction}.
   *
   * @default - none
   */
  readonly functions?: readonly AnyFunction[];

  /**
   * How long a record is kept once its messages are dispatched: so long a repeated request gets the stored
   * response. State it in the documentation of your API.
   *
   * @default Duration.days(7)
   */
  readonly deduplicationPeriod?: Duration;

  /**
   * What dispatches the messages of a function that died after its commit: nobody delivers a request again.
   * Without an {@link OutboxRelay} of the app that has the endpoint, synth fails, unless this is
   * `'elsewhere'`: then see to it that another app, or `sagabox relay`, relays its records.
   *
   * @default - an OutboxRelay of the app
   */
  readonly relay?: 'elsewhere';

  /**
   * Accepts a global table with eventual consistency, as in {@link MessageEndpoint}.
   *
   * @default false
   */
  readonly singleWriterRegion?: boolean;

  /**
   * Delays over the 15 minutes of SQS, and delays to FIFO queues, by one-time schedules of EventBridge
   * Scheduler. `true` creates a scheduler for this endpoint. Several endpoints can share a
   * {@link MessageScheduler}.
   *
   * @default false
   */
  readonly scheduler?: boolean | MessageScheduler;

  /**
   * The customer managed key of the dead letter queue of its own scheduler.
   *
   * @default - a key owned by SQS
   */
  readonly encryptionKey?: IKey;

  /**
   * Stores large bodies in a bucket: of messages, as in {@link MessageEndpoint}, and of stored responses. The
   * bucket must keep them for the `deduplicationPeriod` and 3 days more. Receivers need the same bucket.
   *
   * @default - none: a body that is too large is refused
   */
  readonly claimCheck?: ClaimCheckBucket | ClaimCheckOptions;

  /**
   * The CloudWatch namespace of the metrics that sessions emit by themselves, as in {@link MessageEndpoint}.
   *
   * @default - no metrics are emitted
   */
  readonly metricsNamespace?: string;

  /**
   * Adds an output to the stack, with the variables of the endpoint's functions. `sagabox relay` reads it:
   * `--stack Shop --endpoint shop-api`.
   *
   * @default true
   */
  readonly operatingOutput?: boolean;
}

export const sendOnlyEndpointRows = {
  ...anyEndpointRows,
  outboxTable: { kind: aTable },
  functions: { kind: listOf(aConstruct('a function', 'functionArn')) },
  relay: { kind: oneOf('elsewhere') },
} satisfies PropRows<SendOnlyEndpointProps>;

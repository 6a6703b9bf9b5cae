import type { Duration } from 'aws-cdk-lib';
import type { Architecture } from 'aws-cdk-lib/aws-lambda';
import type { BundlingOptions } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { RelayStrategy } from '../../core/outbox/relay-defaults.ts';
import type { MessageEndpoint } from '../endpoint/message-endpoint.ts';

export interface OutboxRelayProps {
  /** The endpoint whose records are relayed: one with an outbox. */
  readonly endpoint: MessageEndpoint;

  /**
   * How often it runs, in whole minutes.
   *
   * @default Duration.minutes(15)
   */
  readonly every?: Duration;

  /**
   * Younger records are left alone: at least the timeout of the endpoint's function, which may work on them.
   *
   * @default Duration.minutes(15)
   */
  readonly olderThan?: Duration;

  /**
   * How records are found: by the table's sparse index, or by reading the whole table, which finds records
   * from before the index too.
   *
   * @default - 'index' when the endpoint keeps its records in one, else 'scan'
   */
  readonly strategy?: RelayStrategy;

  /**
   * Of the scan; above 0.
   *
   * @default 25
   */
  readonly maxReadUnitsPerSecond?: number;

  /**
   * A file that exports `handler = relayOutbox({ … })`, for options that its environment does not hold.
   *
   * @default - the package's own
   */
  readonly entry?: string;

  /**
   * After which time a run is ended, up to 15 minutes; what it does not come to waits for the next one.
   *
   * @default Duration.minutes(15)
   */
  readonly functionTimeout?: Duration;

  /** @default 256 */
  readonly memorySizeMb?: number;

  /** @default Architecture.ARM_64 */
  readonly architecture?: Architecture;

  /** @default - ES module, minified, `@aws-sdk/*` and `@smithy/*` external */
  readonly bundling?: BundlingOptions;
}

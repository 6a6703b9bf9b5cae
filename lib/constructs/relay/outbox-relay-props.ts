import type { Duration } from 'aws-cdk-lib';
import type { Architecture } from 'aws-cdk-lib/aws-lambda';
import type { BundlingOptions } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { RelayStrategy } from '../../core/outbox/relay-defaults.ts';
import type { MessageEndpoint } from '../endpoint/message-endpoint.ts';

/** Settings of an {@link OutboxRelay}. */
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
   * Records that are younger are left alone; at least the timeout of the endpoint's function, which may be at
   * work on them.
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
   * How many read units the scan takes in a second; above 0.
   *
   * @default 25
   */
  readonly maxReadUnitsPerSecond?: number;

  /**
   * The handler, for options that its environment does not hold: a file that exports `handler = relayOutbox({
   * … })`.
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

  /**
   * The function's memory in MB.
   *
   * @default 256
   */
  readonly memorySizeMb?: number;

  /**
   * The processor that the function runs on.
   *
   * @default Architecture.ARM_64
   */
  readonly architecture?: Architecture;

  /**
   * What to bundle otherwise than by default.
   *
   * @default - ES module, minified, `@aws-sdk/*` and `@smithy/*` external
   */
  readonly bundling?: BundlingOptions;
}

import { Duration } from 'aws-cdk-lib';
import type { Architecture } from 'aws-cdk-lib/aws-lambda';
import type { BundlingOptions } from 'aws-cdk-lib/aws-lambda-nodejs';
import type { RetentionDays } from 'aws-cdk-lib/aws-logs';
import { aNumber, aString, type Check, listOf } from '../../kernel/checks/checks.ts';
import { type RelayStrategy, relayDefaults } from '../../relay/relay-defaults.ts';
import { aDuration, anEndpointWithRecords, oneOf } from '../checks/prop-kinds.ts';
import { defaultsOf, type PropRows } from '../checks/prop-rows.ts';
import { bundledFunctionRows } from '../endpoint/endpoint-rows.ts';
import { type FunctionProps, functionPropsCheck } from '../endpoint/function-props.ts';
import type { MessageEndpoint } from '../endpoint/message-endpoint.ts';
import type { SendOnlyEndpoint } from '../send-only/send-only-endpoint.ts';

export interface OutboxRelayProps {
  /**
   * The endpoints whose records are relayed, all with the same outbox table. They can be of other stacks of
   * the account and region.
   */
  readonly endpoints: readonly (MessageEndpoint | SendOnlyEndpoint)[];

  /**
   * The CloudWatch namespace of the metrics that each run emits for each endpoint: the undispatched records
   * that it found, dispatched and left, and the age of the oldest. See `metricsNamespace` of {@link
   * MessageEndpoint}.
   *
   * @default - the one that most endpoints have; no metrics if they have none
   */
  readonly metricsNamespace?: string;

  /**
   * The interval of the runs, in whole minutes.
   *
   * @default Duration.minutes(15)
   */
  readonly every?: Duration;

  /**
   * The minimum age of the records that a run dispatches: at least the longest timeout of the endpoints'
   * functions, which can still work on younger records.
   *
   * @default Duration.minutes(15)
   */
  readonly olderThan?: Duration;

  /**
   * How a run finds what was not sent: in the list that a watcher keeps, a function of the relay on the streams of the
   * tables, or by a scan of the whole tables, which also finds what is older than the stream.
   *
   * @default - `'stream'` if the outbox table has a stream, else `'scan'`
   */
  readonly strategy?: RelayStrategy;

  /**
   * The maximum read units per second of a scan, above 0.
   *
   * @default 25
   */
  readonly maxReadUnitsPerSecond?: number;

  /**
   * A file that exports `handler = relayOutbox({ … })`, for options that are not props.
   *
   * @default - the handler of the package
   */
  readonly entry?: string;

  /**
   * The timeout of the function: at most 15 minutes, and at most `every`. Records that a run does not reach
   * wait for the next one. A run whose event was delayed may overlap the next one: leases keep both from
   * sending the same record.
   *
   * @default - `every`, and 15 minutes at most
   */
  readonly functionTimeout?: Duration;

  /**
   * The memory of the function in MB, 128 to 10,240.
   *
   * @default 256
   */
  readonly memorySizeMb?: number;

  /**
   * The instruction set of the function.
   *
   * @default Architecture.ARM_64
   */
  readonly architecture?: Architecture;

  /**
   * Settings of esbuild that replace the defaults, as in {@link MessageEndpoint}.
   *
   * @default - ES module, minified with its names kept, with source maps, `@aws-sdk/*` and `@smithy/*` external
   */
  readonly bundling?: BundlingOptions;

  /**
   * Further settings of CDK's `NodejsFunction`, as in {@link MessageEndpoint}.
   *
   * @default - Node.js 24, JSON logs in its own log group, and a role that may write to that group only
   */
  readonly functionProps?: FunctionProps;

  /**
   * How long the log group of the function keeps lines.
   *
   * @default RetentionDays.ONE_MONTH
   */
  readonly logRetention?: RetentionDays;
}

/** A rate of EventBridge. Source: "Creating a rule that runs on a schedule in Amazon EventBridge". */
const aRate: Check = (value, at, report) => {
  const rate = aDuration(value, at, report) as Duration | undefined;
  if (rate === undefined || rate.isUnresolved()) return rate;
  const milliseconds = rate.toMilliseconds();
  if (milliseconds > 0 && milliseconds % 60_000 === 0) return rate;
  report.add(
    at,
    `${milliseconds / 1000} s is no rate of EventBridge`,
    'Use a whole number of minutes, from 1',
  );
  return undefined;
};

export const outboxRelayRows = {
  ...bundledFunctionRows,
  functionProps: { kind: functionPropsCheck('relay') },
  memorySizeMb: { ...bundledFunctionRows.memorySizeMb, default: 256 },
  endpoints: { kind: listOf(anEndpointWithRecords) },
  entry: { kind: aString },
  metricsNamespace: { kind: aString },
  every: { kind: aRate, default: Duration.minutes(15) },
  olderThan: {
    kind: aDuration,
    bounds: { min: 1 },
    default: Duration.minutes(relayDefaults.olderThan.minutes),
  },
  strategy: { kind: oneOf('stream', 'scan') },
  maxReadUnitsPerSecond: {
    kind: aNumber,
    bounds: { min: 0, fractions: true, excludes: 'min' },
    default: relayDefaults.maxReadUnitsPerSecond,
  },
} satisfies PropRows<OutboxRelayProps>;

export const outboxRelayDefaults = defaultsOf(outboxRelayRows);

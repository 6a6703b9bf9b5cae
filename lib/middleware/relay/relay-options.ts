import type { TableConfiguration } from '../../adapters/dynamodb/table.ts';
import type { SdkClient } from '../../adapters/shared/sdk-client.ts';
import type { Duration } from '../../core/duration.ts';
import type { RelayStrategy } from '../../core/outbox/relay-defaults.ts';
import type { RelayRunResult } from '../../flow/relay/relay-result.ts';
import type { EndpointOptions } from '../options.ts';

/** Of an endpoint's options, those that its dispatch needs; see `sagaOutbox`. */
type DispatchOption =
  | ('endpoint' | 'outboxTable' | 'destinations' | 'scheduler' | 'deduplicationPeriod')
  | (
      | 'dynamoDBClient'
      | 'sqsClient'
      | 'snsClient'
      | 'eventBridgeClient'
      | 'schedulerClient'
      | 'logger'
      | 'metrics'
      | 'tracing'
    );

interface SagaTableOption {
  /**
   * Searched for what sagas with an embedded outbox left to be sent, unless it is the outbox table, in which that is
   * found anyway.
   *
   * @default the table named by the environment variable SAGABOX_SAGA_TABLE, else the outbox table alone
   */
  sagaTable?: TableConfiguration;
}

/** What is an endpoint's own, of several that one relay serves; the other options are for all of them. */
export interface RelayedEndpointOptions
  extends Pick<EndpointOptions, 'destinations' | 'scheduler' | 'deduplicationPeriod'>,
    SagaTableOption {
  /** Its name. */
  endpoint: string;
}

export interface RelayOutboxOptions extends Pick<EndpointOptions, DispatchOption>, SagaTableOption {
  /**
   * The endpoints whose records are dispatched, in place of `endpoint`: they share the outbox table. What an
   * endpoint leaves out is as the relay's own option, else as the environment has it.
   *
   * @default those in the environment variable SAGABOX_RELAY, else `endpoint` alone
   */
  endpoints?: readonly RelayedEndpointOptions[];
  /**
   * Younger records are left alone: the function that committed them may be about to dispatch them.
   *
   * @default `olderThanSeconds` in the environment variable SAGABOX_RELAY, else { minutes: 15 }, the longest
   *   that a function lives
   */
  olderThan?: Duration;
  /**
   * `stream`: on the list that `watchOutbox` keeps, a function on the stream of each table. `scan`: by reading the
   * whole table, which also finds what no watcher read.
   *
   * @default `strategy` in the environment variable SAGABOX_RELAY, else 'scan'
   */
  strategy?: RelayStrategy;
  /**
   * How many read units the scan takes in a second.
   *
   * @default `maxReadUnitsPerSecond` in the environment variable SAGABOX_RELAY, else 25
   */
  maxReadUnitsPerSecond?: number;
  /**
   * Parts that a scan divides the table into, read one after another; each run begins with another one. Use
   * so many that a run reads one at least. Each costs at least half a read unit.
   *
   * @default 64
   */
  segments?: number;
  /**
   * How long a record is kept from other runs while one works on it, also if that run dies.
   *
   * @default { minutes: 5 }
   */
  leaseDuration?: Duration;
  /**
   * Whether records that an earlier run could not dispatch are tried before they are due; see
   * docs/guide/relay.md.
   *
   * @default false
   */
  includePostponed?: boolean;
  /**
   * Records at a time, of all endpoints together.
   *
   * @default 10
   */
  concurrency?: number;
  /**
   * A client of AWS Lambda, by which a run of the strategy 'stream' looks at the watcher's event source mapping.
   *
   * @default one of its own, made when it is needed
   */
  lambdaClient?: SdkClient;
  /**
   * Called with the result of each run, also of one that failed; an error that it throws is logged.
   *
   * @default none
   */
  onRelayed?: (result: RelayRunResult) => void | Promise<void>;
}

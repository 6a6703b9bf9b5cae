import type { TableConfiguration } from '../../dynamodb/table-defaults.ts';
import type { SdkClient } from '../../kernel/calls/sdk-client.ts';
import type { Duration } from '../../kernel/duration.ts';
import type { RelayStrategy } from '../../relay/relay-defaults.ts';
import type { RelayRunResult } from '../../relay/relay-result.ts';
import type { EndpointOptions } from '../options.ts';

/** The options of an endpoint that its dispatch needs; see `sagaOutbox`. */
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
   * The table that is searched for unsent messages of sagas with an embedded outbox; the outbox table is
   * searched for them anyway.
   *
   * @default the table named by the environment variable SAGABOX_SAGA_TABLE, else the outbox table alone
   */
  sagaTable?: TableConfiguration;
}

/** The options of one endpoint, of several that a relay serves; the other options are for all of them. */
export interface RelayedEndpointOptions
  extends Pick<EndpointOptions, 'destinations' | 'scheduler' | 'deduplicationPeriod'>,
    SagaTableOption {
  /** The name of the endpoint. */
  endpoint: string;
}

export interface RelayOutboxOptions extends Pick<EndpointOptions, DispatchOption>, SagaTableOption {
  /**
   * The endpoints whose records are dispatched, in place of `endpoint`: they share the outbox table. An
   * option that an endpoint leaves out has the value of the relay's own option, else of the environment.
   *
   * @default those in the environment variable SAGABOX_RELAY, else `endpoint` alone
   */
  endpoints?: readonly RelayedEndpointOptions[];
  /**
   * The minimum age of a record to dispatch: the function that committed a younger one may be about to do so.
   *
   * @default `olderThanSeconds` in the environment variable SAGABOX_RELAY, else { minutes: 15 }, the longest
   *   that a function lives
   */
  olderThan?: Duration;
  /**
   * How unsent messages are found. `stream`: on the list that `watchOutbox` keeps, a function on the stream
   * of each table. `scan`: by reading the whole table, which also finds messages that no watcher read.
   *
   * @default `strategy` in the environment variable SAGABOX_RELAY, else 'scan'
   */
  strategy?: RelayStrategy;
  /**
   * The read units that the scan consumes in a second.
   *
   * @default `maxReadUnitsPerSecond` in the environment variable SAGABOX_RELAY, else 25
   */
  maxReadUnitsPerSecond?: number;
  /**
   * The number of parts that a scan divides the table into, to read one after another; each run begins with
   * another one. Use so many that a run reads at least one. Each costs at least half a read unit.
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
   * The number of records at a time, of all endpoints together.
   *
   * @default 10
   */
  concurrency?: number;
  /**
   * A client of AWS Lambda, for runs of the strategy 'stream' to read the watcher's event source mapping.
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

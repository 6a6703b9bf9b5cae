import { Annotations, Duration, Stack } from 'aws-cdk-lib';
import { StreamViewType } from 'aws-cdk-lib/aws-dynamodb';
import { Grant } from 'aws-cdk-lib/aws-iam';
import {
  EventSourceMapping,
  type EventSourceMappingProps,
  FilterCriteria,
  FilterRule,
  type Function as LambdaFunction,
  StartingPosition,
} from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import { tableDefaults } from '../../dynamodb/table-defaults.ts';
import { watcherSetting } from '../../settings/relay.ts';
import { encode } from '../../settings/setting.ts';
import type { AnyTable } from '../construct-types.ts';
import { checkFunctionRole } from '../endpoint/function-role.ts';
import { type HandlerFunctionSettings, handlerFunction } from '../endpoint/handler-function.ts';
import { nameBelowStack } from '../path-below-stack.ts';
import { anyUnsentCondition } from '../tables/leading-keys.ts';
import { isSameTable } from '../tables/same-table.ts';
import { isReplicated } from '../tables/stream-readers.ts';
import { grantOperations } from '../tables/table-access.ts';
import { foreignStreamProblem, reachableStream, reportUnreachableStream } from '../tables/table-place.ts';
import { tableReference } from '../tables/table-reference.ts';
import { schemaOf } from '../tables/table-schema.ts';
import { streamOf, type TableStream } from '../tables/table-stream.ts';
import { MergedGrants } from './merged-grants.ts';
import { packageEntry } from './package-entry.ts';
import { tablesOf } from './relay-facts.ts';
import type { RelayedEndpoint } from './relayed-endpoint.ts';

/**
 * As few invocations as possible. A window that is longer than `olderThan` would let the relay find things later than
 * it says. Source: "CreateEventSourceMapping" (BatchSize, MaximumBatchingWindowInSeconds).
 */
const batches = { size: 1_000, longestWindowSeconds: 300 } as const;

/** A table whose changes can be read. */
export interface WatchedSource {
  readonly table: AnyTable;
  readonly stream: TableStream;
}

interface WatcherSettings extends Omit<HandlerFunctionSettings, 'entry' | 'timeout' | 'memorySizeMb'> {
  readonly endpoints: readonly RelayedEndpoint[];
  readonly sources: readonly WatchedSource[];
  readonly olderThan: Duration;
}

/**
 * The function that lists what it does not see sent in the streams of the tables that a relay searches. It runs no code
 * of users, and sends nothing.
 */
export class OutboxWatcher {
  readonly function: LambdaFunction;
  /** The mapping of each table. */
  readonly watched: readonly { readonly table: AnyTable; readonly mapping: EventSourceMapping }[];

  constructor(relay: Construct, { endpoints, sources, olderThan, ...settings }: WatcherSettings) {
    this.function = handlerFunction(relay, 'Watcher', {
      ...settings,
      entry: packageEntry('watcher-handler'),
      // All that a batch has to list may wait for the capacity of the table; one that is ended begins anew.
      timeout: Duration.minutes(15),
      memorySizeMb: 256,
    });
    checkFunctionRole(relay, this.function);
    const grants = new MergedGrants(relay, 'WatcherPolicy', this.function);
    for (const source of sources) grantWatching(source, grants, endpoints);
    const [outboxTable] = tablesOf(endpoints);
    this.watched = sources.map(({ table, stream }) => {
      warnOfOldImages(relay, table, stream);
      reportUnreachableStream(relay, table, stream);
      const id = mappingId(relay, table, outboxTable);
      const props = mappingOf({ table, stream }, this.function, olderThan);
      const mapping = new EventSourceMapping(relay, id, props);
      mapping.node.addDependency(grants.policy);
      return { table, mapping };
    });
    const stack = Stack.of(relay);
    const watching = {
      tables: sources.map(({ table }) => tableReference(table, stack)),
      // Of a replicated table, each region sees the changes of the others in its stream.
      ...(sources.some(({ table }) => isReplicated(table)) && {
        endpoints: endpoints.map(({ endpointName }) => endpointName),
      }),
    };
    this.function.addEnvironment(watcherSetting.variable, encode(watcherSetting, watching));
  }
}

/** Of these tables those whose streams the relay can read. The others are reported. */
export function readableStreams(relay: Construct, tables: readonly AnyTable[]): WatchedSource[] {
  return tables.flatMap((table) => {
    const stream = streamOf(table);
    if (stream === undefined || foreignStreamProblem(relay, table, stream) !== undefined) return [];
    return { table, stream };
  });
}

/**
 * Its logical id outlives another id of an imported outbox table: Lambda refuses a second mapping of one stream and one
 * function, which is made before the first is deleted.
 */
function mappingId(relay: Construct, table: AnyTable, outboxTable: AnyTable | undefined): string {
  if (isSameTable(table, outboxTable)) return 'OutboxStream';
  const stack = Stack.of(table);
  const ofStack = stack === Stack.of(relay) ? '' : `${stack.node.id}-`;
  return `SagaStream-${ofStack}${nameBelowStack(table)}`;
}

/**
 * Retries and the age of records have no limit by default, and there is no destination for what fails: nothing is
 * dropped. Source: "CreateEventSourceMapping" (MaximumRetryAttempts, MaximumRecordAgeInSeconds).
 */
function mappingOf(
  { table, stream }: WatchedSource,
  target: LambdaFunction,
  olderThan: Duration,
): EventSourceMappingProps {
  const { partitionKeyName } = schemaOf(table) ?? tableDefaults;
  const prefixes = ['OUTBOX#', 'SAGA#'].flatMap((prefix) => FilterRule.beginsWith(prefix));
  return {
    target,
    eventSourceArn: reachableStream(table, stream),
    startingPosition: StartingPosition.TRIM_HORIZON,
    batchSize: batches.size,
    maxBatchingWindow: windowOf(olderThan),
    filters: [
      FilterCriteria.filter({
        // What is gone was sent: of each message a record expires, which would call the watcher in vain.
        eventName: FilterRule.or('INSERT', 'MODIFY'),
        // By keys, so that no form of an item is passed over, and lists do not call the watcher that writes them.
        dynamodb: { Keys: { [partitionKeyName]: { S: prefixes } } },
      }),
    ],
  };
}

function windowOf(olderThan: Duration): Duration {
  const { longestWindowSeconds: longest } = batches;
  if (olderThan.isUnresolved()) return Duration.seconds(longest);
  return Duration.seconds(Math.min(longest, Math.floor(olderThan.toSeconds({ integral: false }))));
}

/**
 * Source: "Process Amazon DynamoDB records with Lambda" (permissions of the execution role), by the stream alone.
 * BatchGetItem looks at an item once more before it is listed.
 */
function grantWatching(
  { table, stream }: WatchedSource,
  grantee: MergedGrants,
  endpoints: readonly RelayedEndpoint[],
): void {
  const readings = ['DescribeStream', 'GetRecords', 'GetShardIterator', 'ListStreams'];
  Grant.addToPrincipal({
    grantee,
    actions: readings.map((operation) => `dynamodb:${operation}`),
    resourceArns: [reachableStream(table, stream)],
  });
  const lists = anyUnsentCondition(endpoints);
  if (Object.keys(lists).length === 0) {
    grantOperations(table, grantee, ['BatchGetItem', 'PutItem']);
    return;
  }
  grantOperations(table, grantee, ['BatchGetItem']);
  grantOperations(table, grantee, ['PutItem'], lists);
}

function warnOfOldImages(relay: Construct, table: AnyTable, { viewType }: TableStream): void {
  if (viewType !== StreamViewType.OLD_IMAGE) return;
  Annotations.of(relay).addWarningV2(
    'sagabox:oldImages',
    `strategy: the stream of '${table.node.path}' has the old images of items only, so that the watcher reads each ` +
      'changed item. Use StreamViewType.NEW_IMAGE or NEW_AND_OLD_IMAGES, or acknowledge this.',
  );
}

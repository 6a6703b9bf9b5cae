import type { DynamoDBStreamEvent } from 'aws-lambda';
import { CapacityMeter } from '../../dynamodb/capacity-meter.ts';
import type { TableAttributes } from '../../dynamodb/item-attributes.ts';
import { assertKeyName } from '../../dynamodb/keys.ts';
import { type Table, tableDefaults } from '../../dynamodb/table-defaults.ts';
import { assertOptionKinds } from '../../kernel/checks/checks.ts';
import { defined } from '../../kernel/defined.ts';
import { configurationError } from '../../kernel/errors/errors.ts';
import { isJsonObject } from '../../kernel/values/value-kind.ts';
import type { MessageLogger } from '../../messages/logger.ts';
import { sharedBatchers } from '../../outbox/batchers.dynamodb.ts';
import { changesOf, type StreamRecord } from '../../relay/stream-changes.dynamodb.ts';
import { DynamoDBStreamedTable } from '../../relay/streamed-table.dynamodb.ts';
import { listUnsent, type WatchResult } from '../../relay/watch.ts';
import { watcherSetting } from '../../settings/relay.ts';
import { decoded, type Environment } from '../../settings/setting.ts';
import { takerOf, watchOutboxChecks } from '../assert-options.ts';
import { defaultDynamoDBClient } from '../clients.ts';
import { loggerOf } from '../logs/logger-of.ts';
import { linesWritten } from '../logs/write-line.ts';
import { systemClock } from '../system-clock.ts';
import type { WatchOutboxOptions } from './watch-options.ts';

export type WatchHandler = (event: Pick<DynamoDBStreamEvent, 'Records'>) => Promise<void>;

/**
 * Makes a Lambda handler for the stream of an outbox table, or of a saga table with an embedded outbox. The
 * handler lists messages that no change shows as sent, and {@link relayOutbox} sends those that stay on the
 * list. The handler runs no code of yours, reads nothing of a message, and sends nothing.
 *
 * Its event source mapping begins with the oldest change (`TRIM_HORIZON`), retries a failed batch without a
 * limit, and filters only by keys and removals. The stream has new images, or only keys: the items are read
 * then.
 *
 * @throws SagaboxError `Configuration` for a wrong option. The handler it returns throws the error of a read
 *   or a write, and `Configuration` for an event of another source: the batch comes again.
 * @example
 * ```ts
 * import { watchOutbox } from 'sagabox';
 *
 * export const handler = watchOutbox();
 * ```
 */
export function watchOutbox(options: WatchOutboxOptions = {}): WatchHandler {
  assertOptionKinds('watchOutbox', options, watchOutboxChecks, { takerOf });
  const logger = loggerOf(options);
  return async (event) => {
    const { tables, endpoints } = watcherSettings(options, process.env);
    const client = options.dynamoDBClient ?? defaultDynamoDBClient();
    const { reads } = sharedBatchers(client, systemClock);
    for (const [tableName, records] of recordsByTable(event)) {
      const names = tables.find(isOf(tableName)) ?? tableDefaults;
      assertKeys(records, names);
      const table = { ...names, tableName };
      const terms = {
        table: new DynamoDBStreamedTable({ client, table, reads }),
        now: systemClock.now(),
        meter: new CapacityMeter(),
        endpoints,
      };
      tell(logger, tableName, records.length, await listUnsent(changesOf(records, table), terms));
    }
    await linesWritten();
  };
}

interface WatcherSettings {
  readonly tables: readonly Table[];
  /** The endpoints whose unsent messages are listed. @default - all */
  readonly endpoints: ReadonlySet<string> | undefined;
}

/** @throws SagaboxError `Configuration` */
function watcherSettings(options: WatchOutboxOptions, environment: Environment): WatcherSettings {
  const watcher = decoded(watcherSetting, environment) ?? { tables: [] };
  const given = defined({
    tables: options.tables?.map((table) => ({ ...tableDefaults, ...table })),
    endpoints: options.endpoints,
  });
  const { tables, endpoints } = { ...watcher, ...given };
  for (const name of endpoints ?? []) assertKeyName('endpoints of the watcher', name);
  return { tables, endpoints: endpoints && new Set(endpoints) };
}

function tell(logger: MessageLogger, table: string, changes: number, result: WatchResult): void {
  const { listed, looked, unlistable } = result;
  if (listed > 0) logger.info('Listed what is not sent yet', { table, changes, looked, listed });
  if (unlistable.length === 0) return;
  const items = unlistable.slice(0, NAMED_ITEMS);
  logger.error('Items with something to send name no endpoint', { table, count: unlistable.length, items });
}

const NAMED_ITEMS = 5;

/** @throws SagaboxError `Configuration` */
function recordsByTable(event: unknown): Map<string, StreamRecord[]> {
  const records: readonly unknown[] =
    isJsonObject(event) && Array.isArray(event.Records) ? event.Records : [undefined];
  const tables = new Map<string, StreamRecord[]>();
  for (const record of records) {
    const arn = isJsonObject(record) ? record.eventSourceARN : undefined;
    const [, tableName] = typeof arn === 'string' ? (/:table\/([^/]+)\/stream\//.exec(arn) ?? []) : [];
    if (tableName === undefined) throw foreignEvent();
    const known = tables.get(tableName);
    if (known) known.push(record as StreamRecord);
    else tables.set(tableName, [record as StreamRecord]);
  }
  return tables;
}

function foreignEvent(): Error {
  return configurationError(
    'watchOutbox',
    'the event is none of a DynamoDB stream',
    'Give its function an event source mapping on the stream of the table, and no other source',
  );
}

/** Finds a table by its name, or by an ARN that ends with the name. */
function isOf(name: string) {
  return ({ tableName }: Table) => tableName === name || tableName.endsWith(`:table/${name}`);
}

/** Refuses wrong key names: nothing would ever be found. @throws SagaboxError `Configuration` */
function assertKeys(
  records: readonly StreamRecord[],
  { partitionKeyName, sortKeyName }: TableAttributes,
): void {
  const keys = records.map(({ dynamodb }) => isJsonObject(dynamodb) && dynamodb.Keys).find(isJsonObject);
  if (keys === undefined || (partitionKeyName in keys && sortKeyName in keys)) return;
  throw configurationError(
    'watchOutbox: tables',
    `the table has the keys ${Object.keys(keys).join(', ')}, and not ${partitionKeyName}, ${sortKeyName}`,
    `Name its keys in the option tables, or in ${watcherSetting.variable}`,
  );
}

import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { configureRelay, type Relay } from '../../compose/relay/configure-relay.ts';
import type { Item } from '../../dynamodb/item-attributes.ts';
import {
  messageIdOfPartition,
  outboxPartitionPrefix,
  RECORD_SORT_KEY,
  sagaKey,
} from '../../dynamodb/keys.ts';
import { defined } from '../../kernel/defined.ts';
import { toMilliseconds } from '../../kernel/duration.ts';
import { headerNames } from '../../messages/headers.ts';
import { isCancellation, type OutgoingOperation } from '../../messages/message.ts';
import type { RecordReference } from '../../outbox/record.ts';
import { readRecord } from '../../pipeline/dispatch.ts';
import { type RelayFailure, relayFailure } from '../../relay/relay-result.ts';
import { embeddedOutboxSetting } from '../../settings/endpoint.ts';
import type { Environment } from '../../settings/setting.ts';
import { outboxTableSetting } from '../../settings/tables.ts';
import type { Clients } from '../clients.ts';
import { RefusedInput, refusedConfiguration } from '../command.ts';
import { type WaitingRecord, waitingRecord } from '../relay/result.ts';
import { pacedScan } from '../stored/paced-scan.ts';
import { scanDefaults } from '../stored/scan-options.ts';
import { tableOption } from '../stored/table-option.ts';
import { endOfRun, scanPrice } from '../stored/table-price.ts';
import { BudgetMeter } from './budget-meter.ts';
import { defaultSince, type ShowValues, type WhichRecords } from './options.ts';

/** A record of the endpoint; of a dispatched one no more is stored than that there was one. */
export interface ShownRecord extends Omit<WaitingRecord, 'destinations'> {
  readonly dispatchedAt?: string;
  readonly destinations?: readonly string[];
  /** Whether the saga sent its messages; of a dispatched one, whether it was stored with the saga's last change. */
  readonly ofSaga: boolean;
}

export interface ShownRecords {
  readonly which: WhichRecords;
  readonly endpoint: string;
  readonly records: readonly ShownRecord[];
  readonly failures: readonly RelayFailure[];
  /** Whether the budget of read units was enough for all. */
  readonly complete: boolean;
  readonly readUnits: number;
}

/** Whose records are looked for. */
export interface RecordsOf {
  /** The partition key of its item. */
  readonly partition: string;
  /** ISO 8601: when it was last stored. */
  readonly updatedAt: string | undefined;
}

export class RecordSearch {
  readonly #relay: Relay;
  readonly #client: DynamoDBClient;
  readonly #which: WhichRecords;
  readonly #sinceMs: number;
  readonly #terms: { readonly maxReadUnitsPerSecond: number; readonly maxTotalReadUnits: number };

  /** @throws RefusedInput */
  constructor(
    values: ShowValues & { readonly records: WhichRecords },
    clients: Clients,
    environment: Environment,
  ) {
    const { maxReadUnits, maxTotalReadUnits, since = defaultSince } = { ...scanDefaults, ...defined(values) };
    this.#relay = configured(values, clients, environment);
    this.#client = clients.dynamoDBClient;
    this.#which = values.records;
    this.#sinceMs = toMilliseconds(since);
    this.#terms = { maxReadUnitsPerSecond: maxReadUnits, maxTotalReadUnits };
  }

  /** What the search takes, to be told before it starts. */
  async price(): Promise<string> {
    const { tableName } = this.#relay.outbox.table;
    const { maxTotalReadUnits } = this.#terms;
    const ofRecords = 'then 1 RCU for each 4 KB of each record that is not dispatched yet';
    if (this.#scans) return await scanPrice(this.#client, tableName, maxTotalReadUnits, `, ${ofRecords}`);
    const list = `Queries the list of what waits in '${tableName}': 0.5 RCU for each 4 KB`;
    return `${list}, ${ofRecords}. ${endOfRun(maxTotalReadUnits)}`;
  }

  async run(saga: RecordsOf, interrupt: AbortSignal): Promise<ShownRecords> {
    const meter = new BudgetMeter(this.#terms.maxTotalReadUnits, interrupt);
    const records: ShownRecord[] = [];
    const failures: RelayFailure[] = [];
    const { ports, endpoint } = this.#relay;
    const now = new Date();
    const pending = async (reference: RecordReference) => {
      try {
        const record = await readRecord(ports, reference, meter);
        if (record?.dispatched !== false) return;
        records.push({ ...waitingRecord(record, now), ofSaga: sentBy(saga, record.operations) });
      } catch (error) {
        failures.push(relayFailure(reference.messageId, error));
      }
    };
    if (this.#which === 'pending') {
      for await (const found of ports.undispatched.find(now, meter, meter.signal)) {
        await pending(found);
        if (meter.signal.aborted) break;
      }
    } else {
      for await (const item of this.#recentItems(now, meter)) {
        if (item.dispatched?.BOOL === true) records.push(this.#dispatched(item, saga));
        else await pending({ messageId: this.#messageIdOf(item) });
        if (meter.signal.aborted) break;
      }
    }
    const { readUnits } = meter.total;
    return { which: this.#which, endpoint, records, failures, complete: !meter.signal.aborted, readUnits };
  }

  get #scans(): boolean {
    return this.#which === 'recent' || this.#relay.configured.strategy === 'scan';
  }

  async *#recentItems(now: Date, meter: BudgetMeter): AsyncGenerator<Item> {
    const { endpoint, outbox } = this.#relay;
    const { tableName, partitionKeyName, sortKeyName } = outbox.table;
    const scan = {
      TableName: tableName,
      FilterExpression: 'begins_with(#partitionKey, :prefix) AND #sortKey = :record AND #storedAt >= :since',
      ProjectionExpression:
        '#partitionKey, #sortKey, messageId, dispatched, dispatchedAt, operationCount, #storedAt',
      ExpressionAttributeNames: {
        '#partitionKey': partitionKeyName,
        '#sortKey': sortKeyName,
        '#storedAt': 'storedAt',
      },
      ExpressionAttributeValues: {
        ':prefix': { S: outboxPartitionPrefix(endpoint) },
        ':record': { S: RECORD_SORT_KEY },
        ':since': { S: new Date(now.getTime() - this.#sinceMs).toISOString() },
      },
    };
    const terms = { ...this.#terms, meter, signal: meter.signal };
    for await (const { items } of pacedScan(this.#client, scan, terms)) yield* items;
  }

  #dispatched(item: Item, { updatedAt }: RecordsOf): ShownRecord {
    const storedAt = item.storedAt?.S ?? '';
    return {
      messageId: this.#messageIdOf(item),
      storedAt,
      ...(item.dispatchedAt?.S && { dispatchedAt: item.dispatchedAt.S }),
      operations: Number(item.operationCount?.N ?? 0),
      // One commit stores both, with one time.
      ofSaga: storedAt === updatedAt,
    };
  }

  /** The hash of a long one, once it is dispatched. */
  #messageIdOf(item: Item): string {
    const { endpoint, outbox } = this.#relay;
    const partition = item[outbox.table.partitionKeyName]?.S ?? '';
    const ofKey = messageIdOfPartition(endpoint, partition) ?? item.messageId?.S;
    return ofKey ?? partition.slice(outboxPartitionPrefix(endpoint).length);
  }
}

function configured(values: ShowValues, clients: Clients, environment: Environment): Relay {
  const { endpoint, outboxTable, strategy, maxReadUnits } = values;
  if (endpoint === undefined) throw new RefusedInput(['--records needs --endpoint <name>']);
  try {
    const keys = defined({ partitionKeyName: values.partitionKey, sortKeyName: values.sortKey });
    const options = defined({
      endpoint,
      outboxTable: outboxTable ? { ...tableOption(outboxTableSetting, outboxTable), ...keys } : undefined,
      strategy,
      maxReadUnitsPerSecond: maxReadUnits,
      // Each takes half a unit at least, also of a table that holds hardly anything.
      segments: 1,
    });
    // What is pending in the item of a saga is shown with the saga.
    const ofRecords = { ...environment, [embeddedOutboxSetting.variable]: undefined };
    return configureRelay({ ...options, ...clients }, ofRecords);
  } catch (error) {
    return refusedConfiguration(error);
  }
}

function sentBy({ partition }: RecordsOf, operations: readonly OutgoingOperation[]): boolean {
  return operations.some((operation) => {
    if (isCancellation(operation)) return false;
    const { [headerNames.saga]: name, [headerNames.correlationId]: id } = operation.headers;
    return name !== undefined && id !== undefined && sagaKey({ name, id }).partition === partition;
  });
}

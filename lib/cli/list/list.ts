import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { CapacityMeter } from '../../dynamodb/capacity-meter.ts';
import type { Item } from '../../dynamodb/item-attributes.ts';
import { isHashedValue, sagaKey, sagaPartitionPrefix } from '../../dynamodb/keys.ts';
import type { Table } from '../../dynamodb/table-defaults.ts';
import { type Duration, toMilliseconds } from '../../kernel/duration.ts';
import { isJsonObject } from '../../kernel/values/value-kind.ts';
import { withClients } from '../clients.ts';
import type { CommandDefinition, CommandIo, CommandResult } from '../command.ts';
import type { PropertyValue } from '../option-values.ts';
import { jsonValue } from '../stored/json-value.ts';
import { loadedItem } from '../stored/loaded-item.ts';
import { pacedScan } from '../stored/paced-scan.ts';
import { sagaSummary } from '../stored/saga-summary.ts';
import { sagaLocation } from '../stored/saga-table.ts';
import { scanDefaults } from '../stored/scan-options.ts';
import { scanPrice } from '../stored/table-price.ts';
import { DEFAULT_LIMIT, type ListValues, listArguments, listOptions } from './options.ts';
import { type ListedSaga, type ListResult, linesOf, objectOf } from './result.ts';
import { keyOf, tokenOf } from './starting-token.ts';

export const listCommand: CommandDefinition<ListValues> = {
  usage: '<saga> (--table <name> | --stack <name> --endpoint <name>) [options]',
  arguments: listArguments,
  options: listOptions,
  notes: `Sagas are not indexed by their name: the command scans the table, and says before what that takes. It reads
with eventual consistency, changes nothing, and ends after a page of sagas or at its budget of read units.
Region and credentials come from the environment, as for every AWS tool.`,
  async run(values, io) {
    const { table } = await sagaLocation(values);
    return await withClients(({ dynamoDBClient }) => listSagas(values, dynamoDBClient, table, io));
  },
};

export async function listSagas(
  values: ListValues,
  client: DynamoDBClient,
  table: Table,
  io: CommandIo,
): Promise<CommandResult> {
  const { maxTotalReadUnits = scanDefaults.maxTotalReadUnits } = values;
  const startKey = values.startingToken === undefined ? undefined : keyOf(table, values.startingToken);
  io.err(await scanPrice(client, table.tableName, maxTotalReadUnits));
  const result = await readPage({ ...values, maxTotalReadUnits }, client, table, io, startKey);
  const { problem } = result;
  return {
    json: () => objectOf(result),
    lines: () => linesOf(result),
    failed: problem !== undefined,
    problem,
  };
}

async function readPage(
  {
    saga,
    limit = DEFAULT_LIMIT,
    maxReadUnits = scanDefaults.maxReadUnits,
    olderThan,
    ...values
  }: ListValues & {
    readonly maxTotalReadUnits: number;
  },
  client: DynamoDBClient,
  table: Table,
  { signal }: CommandIo,
  startKey: Item | undefined,
): Promise<ListResult> {
  const meter = new CapacityMeter();
  const { maxTotalReadUnits } = values;
  const terms = { maxReadUnitsPerSecond: maxReadUnits, maxTotalReadUnits, meter, signal };
  const now = new Date();
  const sagas: ListedSaga[] = [];
  let unreadable = 0;
  let lastKey = startKey;
  let isComplete = false;
  for await (const page of pacedScan(
    client,
    { ...sagasOf(saga, table, values.state !== undefined), ExclusiveStartKey: startKey },
    terms,
  )) {
    let last: Item | undefined;
    for (const item of page.items) {
      if (sagas.length >= limit) break;
      last = item;
      const summary = listed(item, saga, table, now);
      if (olderThan !== undefined && !isUnchangedFor(summary, olderThan, now)) continue;
      const isWanted = values.state === undefined || hasState(item, saga, table, values.state);
      if (isWanted) sagas.push(summary);
      if (isWanted === undefined) unreadable += 1;
    }
    // Behind the last saga of a full page, so that the next one begins with what is left of this.
    lastKey = last === page.items.at(-1) ? page.lastKey : last;
    isComplete = lastKey === undefined;
    if (isComplete || sagas.length >= limit) break;
  }
  const nextToken = lastKey && tokenOf(table, lastKey);
  const problem = signal.aborted ? 'Interrupted: there may be more sagas' : undefined;
  return { saga, sagas, unreadable, isComplete, nextToken, readUnits: meter.total.readUnits, problem };
}

/**
 * Without their states where nobody asks for one: those are shown one by one. An item without a version is a lock, and
 * no saga; one without a state is what is left of a saga that has ended.
 */
function sagasOf(name: string, { tableName, partitionKeyName, sortKeyName }: Table, hasStates: boolean) {
  const used = { '#version': 'version', '#state': 'state' };
  const summarized = ['stateVersion', 'createdAt', 'updatedAt', 'lease', 'timeouts'];
  const names = Object.fromEntries(summarized.map((attribute) => [`#${attribute}`, attribute]));
  const projected = ['#partitionKey', '#sortKey', '#version', ...Object.keys(names)].join(', ');
  return {
    TableName: tableName,
    FilterExpression:
      'begins_with(#partitionKey, :prefix) AND #sortKey = :sort AND attribute_exists(#version) AND attribute_exists(#state)',
    ...(!hasStates && { ProjectionExpression: projected }),
    ExpressionAttributeNames: {
      '#partitionKey': partitionKeyName,
      '#sortKey': sortKeyName,
      ...used,
      ...(!hasStates && names),
    },
    ExpressionAttributeValues: {
      ':prefix': { S: sagaPartitionPrefix(name) },
      ':sort': { S: sagaKey({ name, id: '' }).sort },
    },
  };
}

/** One that does not tell when it was changed may be that old: NaN is no age below it. */
function isUnchangedFor({ updatedAt = '' }: ListedSaga, olderThan: Duration, now: Date): boolean {
  const ageMs = now.getTime() - Date.parse(updatedAt);
  return !(ageMs < toMilliseconds(olderThan));
}

/** @returns undefined if it cannot be read */
function hasState(
  item: Item,
  name: string,
  table: Table,
  { property, value }: PropertyValue,
): boolean | undefined {
  const { loaded } = loadedItem(item, { name, id: '' }, table);
  if (loaded?.stored === undefined) return;
  const state = jsonValue(loaded.stored.readState());
  return isJsonObject(state) && Object.hasOwn(state, property) && String(state[property]) === value;
}

function listed(item: Item, saga: string, { partitionKeyName }: Table, now: Date): ListedSaga {
  const id = (item[partitionKeyName]?.S ?? '').slice(sagaPartitionPrefix(saga).length);
  return { id, ...(isHashedValue(id) && { isHashed: true as const }), ...sagaSummary(item, now) };
}

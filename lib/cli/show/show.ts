import { CapacityMeter } from '../../dynamodb/capacity-meter.ts';
import type { SagaIdentity } from '../../dynamodb/keys.ts';
import { type Clients, withClients } from '../clients.ts';
import type { CommandDefinition, CommandIo, CommandResult } from '../command.ts';
import { type SagaLocation, sagaLocation } from '../stored/saga-table.ts';
import { scanDefaults } from '../stored/scan-options.ts';
import { endOfRun } from '../stored/table-price.ts';
import { readAppended, type ShownAppended } from './appended.ts';
import { type ShowValues, showArguments, showOptions } from './options.ts';
import { type FoundSaga, readSaga, readsOf } from './read-saga.ts';
import { RecordSearch } from './records.ts';
import { linesOf, objectOf, problemOf } from './result.ts';

export const showCommand: CommandDefinition<ShowValues> = {
  usage: '<saga> <id> (--table <name> | --stack <name> --endpoint <name>) [options]',
  arguments: showArguments,
  options: showOptions,
  notes: `Reads one item by its key, consistently, and changes nothing. --records reads the outbox of the endpoint too,
by the list of what waits or by a scan; each read says before what it takes. --appended queries what is stored beside the
saga, at 1 RCU for each 4 KB, up to --max-total-read-units. The exit code is 1 if there is no such saga.
Region and credentials come from the environment, as for every AWS tool.`,
  async run(values, io) {
    const place = await sagaLocation(values);
    return await withClients((clients) => showSaga(values, clients, place, io));
  },
};

export async function showSaga(
  values: ShowValues,
  clients: Clients,
  { table, environment }: SagaLocation,
  io: CommandIo,
): Promise<CommandResult> {
  const { saga: name, id, records: which } = values;
  const identity = { name, id };
  const search = which && new RecordSearch({ ...values, records: which }, clients, environment);
  const reads = readsOf(identity);
  io.err(
    `Reads ${reads === 1 ? 'an item' : `${reads} items`} of the table '${table.tableName}': ` +
      '1 RCU for each 4 KB, at most 100 an item.',
  );
  const meter = new CapacityMeter();
  const found = await readSaga(clients.dynamoDBClient, table, identity, meter);
  if (search) io.err(await search.price());
  const records = await search?.run(
    { partition: found.partition, updatedAt: found.saga?.updatedAt },
    io.signal,
  );
  const appended = await appendedTo(identity, found, values, clients, table, io);
  const readUnits = meter.total.readUnits + (records?.readUnits ?? 0) + (appended?.readUnits ?? 0);
  const result = { identity, found, records, appended, readUnits };
  const problem = problemOf(name, id, found);
  return {
    json: () => objectOf(result),
    lines: () => linesOf(result),
    failed: problem !== undefined || (records?.failures ?? []).length > 0 || io.signal.aborted,
    problem,
  };
}

async function appendedTo(
  identity: SagaIdentity,
  { saga, partition }: FoundSaga,
  { appended: key, maxTotalReadUnits = scanDefaults.maxTotalReadUnits }: ShowValues,
  { dynamoDBClient }: Clients,
  table: SagaLocation['table'],
  { err, signal }: CommandIo,
): Promise<ShownAppended | undefined> {
  if (key === undefined || saga?.createdAt === undefined) return undefined;
  err(`Queries what is stored beside the saga: 1 RCU for each 4 KB. ${endOfRun(maxTotalReadUnits)}`);
  const createdAt = new Date(saga.createdAt);
  const of = { saga: identity, partition, createdAt, key };
  return await readAppended(dynamoDBClient, table, of, { maxTotalReadUnits, signal });
}

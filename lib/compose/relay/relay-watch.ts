import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { ReadBatcher } from '../../dynamodb/calls/read-batcher.ts';
import { CapacityMeter } from '../../dynamodb/capacity-meter.ts';
import type { Table } from '../../dynamodb/table-defaults.ts';
import { settleAll } from '../../kernel/async/settle.ts';
import type { SdkClient } from '../../kernel/calls/sdk-client.ts';
import { SagaboxError } from '../../kernel/errors/errors.ts';
import { readMapping } from '../../relay/event-source-mapping.lambda.ts';
import type { RelayResult } from '../../relay/relay-result.ts';
import { isSameWatch, judgeWatch, type ScanDue } from '../../relay/watch-state.ts';
import { streamOf, WatchStore } from '../../relay/watch-store.dynamodb.ts';
import type { MappedTable } from '../../settings/relay.ts';

/** The means by which a relay checks that unsent messages get on its lists. */
export interface RelayWatch {
  readonly client: DynamoDBClient;
  readonly reads: ReadBatcher;
  readonly lambdaClient: () => Promise<SdkClient>;
  readonly watched: readonly MappedTable[];
  readonly endpoints: readonly { readonly endpoint: string; readonly tables: readonly Table[] }[];
}

/**
 * Checks whether the stream of each table is read, and whether a scan is due, which it remembers until one
 * was made. The alarms of a watcher are silent if Lambda does not call it.
 *
 * @returns the problems: `StreamNotRead`, `ScanDue`, and the errors of the check itself
 */
export async function checkWatch(watch: RelayWatch, now: Date): Promise<unknown[]> {
  const meter = new CapacityMeter();
  const results = await Promise.allSettled(watch.watched.map((each) => checkTable(each, watch, now, meter)));
  return results.flatMap((result) => (result.status === 'fulfilled' ? result.value : [result.reason]));
}

async function checkTable(
  { table, mapping }: MappedTable,
  { client, reads, lambdaClient, endpoints }: RelayWatch,
  now: Date,
  meter: CapacityMeter,
): Promise<SagaboxError[]> {
  const [stream, ofLambda] = await Promise.all([
    streamOf(client, table),
    lambdaClient().then((lambda) => readMapping(mapping, lambda)),
  ]);
  const problems = new Set<string>();
  const due = new Map<string, ScanDue>();
  const own = endpoints.filter(({ tables }) => tables.some((own) => nameOf(own) === nameOf(table)));
  // At the same time, so that their reads share a call.
  await settleAll(
    own.map(async ({ endpoint }) => {
      const store = new WatchStore({ client, table, endpoint, reads });
      const before = await store.read(meter);
      const { state, problem } = judgeWatch(before, { stream, mapping: ofLambda }, mapping, now);
      if (!isSameWatch(before, state)) await store.write(state, meter);
      if (problem !== undefined) problems.add(problem);
      if (state.scanDue) due.set(endpoint, state.scanDue);
    }),
  );
  return [...[...problems].map(notRead(table)), ...dueScans(table, due)];
}

/**
 * Remembers that a scan found all that was stored before a time, if all of it was sent.
 *
 * @throws the error of a read or a write
 */
export async function rememberScan(
  { client, reads, endpoints }: RelayWatch,
  {
    complete,
    found,
    dispatched,
    settled,
  }: Pick<RelayResult, 'complete' | 'found' | 'dispatched' | 'settled'>,
  storedBefore: Date,
): Promise<void> {
  if (!complete || found > dispatched + settled) return;
  const meter = new CapacityMeter();
  const stores = endpoints.flatMap(({ endpoint, tables }) =>
    tables.map((table) => new WatchStore({ client, table, endpoint, reads })),
  );
  await Promise.all(stores.map((store) => store.scanned(storedBefore, meter)));
}

/** The name of a table that is referred to by its name or its ARN. */
function nameOf({ tableName }: Table): string | undefined {
  return tableName.split(':table/').at(-1);
}

function notRead({ tableName: table }: Table) {
  return (problem: string) => new SagaboxError('StreamNotRead', { table, problem });
}

/** Returns one error for all endpoints for which the same scan is due. */
function dueScans({ tableName: table }: Table, due: ReadonlyMap<string, ScanDue>): SagaboxError[] {
  const byReason = Map.groupBy(due, ([, { reason, since }]) => JSON.stringify([reason, since]));
  return [...byReason.values()].map((same) => {
    const [, { reason, since }] = same[0] as [string, ScanDue];
    const endpoints = same.map(([endpoint]) => endpoint);
    return new SagaboxError('ScanDue', { table, endpoints, reason, since: since.toISOString() });
  });
}

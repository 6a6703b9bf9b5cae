import { Annotations } from 'aws-cdk-lib';
import type { Construct, IConstruct } from 'constructs';
import { AppRegistry } from '../app-registry.ts';
import type { AnyTable } from '../construct-types.ts';
import { consumersOf } from '../rendered-references.ts';
import { isSameTable } from './same-table.ts';
import { schemaOf } from './table-schema.ts';
import { streamOf } from './table-stream.ts';

const readers = new AppRegistry<Construct>();
const tablesOfReaders = new WeakMap<Construct, readonly AnyTable[]>();

/** @param tables whose streams the construct reads */
export function addStreamReader(reader: Construct, tables: readonly AnyTable[]): void {
  readers.add(reader);
  tablesOfReaders.set(reader, tables);
}

/** At synth, for a table that was given a stream by its `relayStream`. */
export function warnOfUnreadStream(table: Construct & AnyTable & { readonly hasRelayStream: boolean }): void {
  if (!table.hasRelayStream || isWatched(table)) return;
  Annotations.of(table).addWarningV2(
    'sagabox:unreadStream',
    'relayStream: no OutboxRelay of the app reads the stream, so that what functions that died left here is not found in ' +
      "it. Give the endpoints an OutboxRelay whose strategy is 'stream', leave it out, or acknowledge this.",
  );
}

/**
 * At synth, for a reader: of each of its streams that has more readers than DynamoDB is designed for, which throttles
 * them. Source: "Quotas in Amazon DynamoDB" (Simultaneous readers of a shard in DynamoDB Streams).
 */
export function warnOfManyReaders(reader: Construct): void {
  for (const table of tablesOf(reader)) {
    const most = isReplicated(table) ? 1 : 2;
    const found = [...readersOf(table), ...othersOf(table)];
    if (found.length <= most) continue;
    const paths = found.map(({ node }) => `'${node.path.replace(/\/Resource$/, '')}'`);
    Annotations.of(reader).addWarningV2(
      'sagabox:streamReaders',
      `strategy: the stream of '${table.node.path}' is read by ${paths.join(', ')}, and DynamoDB may throttle more than ` +
        `${most === 1 ? 'one reader of a replicated table' : 'two readers'}. Let one of them pass the changes on to the ` +
        "others, use 'scan', or acknowledge this.",
    );
  }
}

/** Whether a relay of the app reads the changes of the table. */
export function isWatched(table: AnyTable): boolean {
  return readersOf(table).length > 0;
}

/** Whether other regions write what is in the table, too. */
export function isReplicated(table: AnyTable): boolean {
  const replication = schemaOf(table)?.replication ?? 'none';
  return replication !== 'none';
}

function tablesOf(reader: Construct): readonly AnyTable[] {
  return tablesOfReaders.get(reader) ?? [];
}

function readersOf(table: AnyTable): Construct[] {
  return readers.ofAppOf(table).filter((reader) => tablesOf(reader).some((each) => isSameTable(each, table)));
}

/** Mappings of Lambda and pipes of the app that are not those of the readers. */
function othersOf(table: AnyTable): IConstruct[] {
  const { arn } = streamOf(table) ?? {};
  if (arn === undefined) return [];
  const known = readersOf(table);
  return consumersOf(table, arn)
    .map(({ resource }) => resource)
    .filter(({ node }) => !known.some((reader) => node.scopes.includes(reader)));
}

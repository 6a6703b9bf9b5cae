import { Annotations } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { tableDefaults } from '../../dynamodb/table-defaults.ts';
import type { AnyTable } from '../construct-types.ts';
import { schemaOf } from './table-schema.ts';

interface EndpointTables extends Construct {
  readonly sagaTable?: AnyTable | undefined;
  readonly outboxTable: AnyTable | undefined;
}

/** What is right only if the handlers, or tables that the app does not know, are made for it. */
export function warnOfTables(endpoint: EndpointTables): void {
  const { sagaTable, outboxTable } = endpoint;
  warnOfUnseenTable(endpoint, 'sagaTable', sagaTable);
  if (outboxTable !== sagaTable) warnOfUnseenTable(endpoint, 'outboxTable', outboxTable);
  if (sagaTable === undefined || outboxTable !== undefined) return;
  Annotations.of(endpoint).addWarningV2(
    'sagabox:noOutbox',
    'outboxTable: there is none beside the sagaTable, so that handlers fail unless they are made with outbox: false, ' +
      'without deduplication. Give an outboxTable, which can be the sagaTable, or acknowledge this.',
  );
}

function warnOfUnseenTable(endpoint: Construct, setting: string, table: AnyTable | undefined): void {
  if (table === undefined || schemaOf(table) !== undefined) return;
  const { partitionKeyName, sortKeyName, timeToLiveAttributeName } = tableDefaults;
  Annotations.of(endpoint).addWarningV2(
    'sagabox:importedTable',
    `${setting}: '${table.node.path}' is imported without its schema, and taken to have the keys '${partitionKeyName}' and ` +
      `'${sortKeyName}', both strings, the time to live attribute '${timeToLiveAttributeName}'. Import it by ` +
      'fromTableAttributes of SagaTable, OutboxTable or MessagingTable, which say what it has.',
  );
}

import { Reference, Stack, Tokenization } from 'aws-cdk-lib';
import { AttributeType, CfnGlobalTable, CfnTable, MultiRegionConsistency } from 'aws-cdk-lib/aws-dynamodb';
import { relayIndex } from '../../core/storage/relay-index.ts';
import { tableDefaults } from '../../core/storage/table-defaults.ts';
import type { AnyTable } from '../any-resource.ts';
import { isSameTable } from './same-table.ts';

/** The names of a table's keys and of its time to live attribute. */
export type AttributeNames = { readonly [Setting in keyof typeof tableDefaults]: string };

/** What the app tells of a table. */
export interface TableSchema extends AttributeNames {
  readonly hasTwoStringKeys: boolean;
  readonly hasTimeToLive: boolean;
  readonly hasRelayIndex: boolean;
  /** How other regions get the items of a global table. */
  readonly replication: 'none' | 'eventual' | 'strong';
}

interface KeyPart {
  readonly attributeName: string;
  readonly keyType: string;
}

interface Declaration {
  readonly keySchema?: readonly KeyPart[];
  readonly attributeDefinitions?: readonly {
    readonly attributeName: string;
    readonly attributeType: string;
  }[];
  readonly timeToLiveSpecification?: { readonly attributeName?: string; readonly enabled?: unknown };
  readonly globalSecondaryIndexes?: readonly {
    readonly indexName: string;
    readonly keySchema: readonly KeyPart[];
  }[];
}

const schemasOfImports = new WeakMap<AnyTable, TableSchema>();

/** An imported table does not show its schema: remembers what was said of it. */
export function declareSchema(table: AnyTable, schema: TableSchema): void {
  schemasOfImports.set(table, schema);
}

/**
 * The schema of a table that is made in the app, or was imported with it; `undefined` for any other, which is
 * taken to be right.
 */
export function schemaOf(table: AnyTable): TableSchema | undefined {
  const declared = schemasOfImports.get(table);
  if (declared !== undefined) return declared;
  const resource = resourceOf(table);
  if (resource === undefined) return undefined;
  const { keySchema, attributeDefinitions, timeToLiveSpecification, globalSecondaryIndexes } = resource;
  const declaration: Declaration = Stack.of(resource).resolve({
    keySchema,
    attributeDefinitions,
    timeToLiveSpecification,
    globalSecondaryIndexes,
  });
  if (declaration.keySchema === undefined) return undefined;
  return { ...readSchema(declaration, declaration.keySchema), replication: replicationOf(table, resource) };
}

/** Whether the table is known to have the sparse index of undispatched records. */
export function hasRelayIndex(table: AnyTable | undefined): boolean {
  return table !== undefined && (schemaOf(table)?.hasRelayIndex ?? false);
}

interface IndexedTables {
  readonly sagaTable?: AnyTable;
  readonly outboxTable?: AnyTable;
  readonly embeddedOutbox?: boolean;
  readonly relayIndex?: boolean;
  readonly sagaRelayIndex?: boolean;
}

/** The indexes that handlers keep what they have to send in: as told, else those that the tables are known to have. */
export function relayIndexesOf({ sagaTable, outboxTable, embeddedOutbox = false, ...told }: IndexedTables) {
  const hasOwnTable = embeddedOutbox && !isSameTable(sagaTable, outboxTable);
  return {
    records: told.relayIndex ?? hasRelayIndex(outboxTable),
    sagas: told.sagaRelayIndex ?? (hasOwnTable && hasRelayIndex(sagaTable)),
  };
}

/** The resource of the app that stands for a table: its own, or the one that an import refers to. */
export function resourceOf(table: AnyTable): CfnTable | CfnGlobalTable | undefined {
  const candidates = [table.node.defaultChild, referredBy(table.tableArn), referredBy(table.tableName)];
  return candidates.find((each) => each instanceof CfnTable || each instanceof CfnGlobalTable);
}

function referredBy(token: string): unknown {
  const { firstToken } = Tokenization.reverseString(token);
  return Reference.isReference(firstToken) ? firstToken.target : undefined;
}

/** `TableV2` declares the table of its own region as a replica, `Table` makes the others by a function. */
function replicationOf(table: AnyTable, resource: CfnTable | CfnGlobalTable): TableSchema['replication'] {
  if (resource instanceof CfnTable) {
    const { regions = [] } = table as unknown as { readonly regions?: readonly string[] };
    return regions.length > 0 ? 'eventual' : 'none';
  }
  const { replicas, multiRegionConsistency } = resource;
  const resolved = Stack.of(resource).resolve({ replicas, multiRegionConsistency });
  if (resolved.multiRegionConsistency === MultiRegionConsistency.STRONG) return 'strong';
  return (resolved.replicas ?? []).length > 1 ? 'eventual' : 'none';
}

function readSchema(
  declaration: Declaration,
  keySchema: readonly KeyPart[],
): Omit<TableSchema, 'replication'> {
  const { attributeDefinitions = [], timeToLiveSpecification: timeToLive } = declaration;
  const isString = (name: string | undefined) =>
    attributeDefinitions.some(
      ({ attributeName, attributeType }) => attributeName === name && attributeType === AttributeType.STRING,
    );
  const { partition, sort } = namesOf(keySchema);
  const hasTimeToLive = timeToLive?.attributeName !== undefined && timeToLive.enabled !== false;
  const index = declaration.globalSecondaryIndexes?.find(
    ({ indexName }) => indexName === relayIndex.indexName,
  );
  const indexNames = namesOf(index?.keySchema ?? []);
  return {
    partitionKeyName: partition ?? tableDefaults.partitionKeyName,
    sortKeyName: sort ?? tableDefaults.sortKeyName,
    timeToLiveAttributeName:
      (hasTimeToLive ? timeToLive.attributeName : undefined) ?? tableDefaults.timeToLiveAttributeName,
    hasTwoStringKeys: isString(partition) && isString(sort),
    hasTimeToLive,
    hasRelayIndex:
      indexNames.partition === relayIndex.partitionKeyName &&
      indexNames.sort === relayIndex.sortKeyName &&
      isString(indexNames.partition) &&
      isString(indexNames.sort),
  };
}

function namesOf(keySchema: readonly KeyPart[]) {
  const nameOf = (type: string) => keySchema.find(({ keyType }) => keyType === type)?.attributeName;
  return { partition: nameOf('HASH'), sort: nameOf('RANGE') };
}

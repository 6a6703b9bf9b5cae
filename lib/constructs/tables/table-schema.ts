import { Stack } from 'aws-cdk-lib';
import { AttributeType, CfnGlobalTable, CfnTable, MultiRegionConsistency } from 'aws-cdk-lib/aws-dynamodb';
import { tableDefaults } from '../../dynamodb/table-defaults.ts';
import type { AnyTable } from '../construct-types.ts';
import { referredBy } from '../rendered-properties.ts';

/** The names of a table's keys and of its time to live attribute. */
export type AttributeNames = { readonly [Setting in keyof typeof tableDefaults]: string };

/** What the app tells of a table. */
export interface TableSchema extends AttributeNames {
  readonly hasTwoStringKeys: boolean;
  readonly hasTimeToLive: boolean;
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
  const resource = tableResource(table);
  if (resource === undefined) return undefined;
  const { keySchema, attributeDefinitions, timeToLiveSpecification } = resource;
  const declaration: Declaration = Stack.of(resource).resolve({
    keySchema,
    attributeDefinitions,
    timeToLiveSpecification,
  });
  if (declaration.keySchema === undefined) return undefined;
  return { ...readSchema(declaration, declaration.keySchema), replication: replicationOf(table, resource) };
}

/** The resource of the app that stands for a table: its own, or the one that an import refers to. */
export function tableResource(table: AnyTable): CfnTable | CfnGlobalTable | undefined {
  const candidates = [table.node.defaultChild, referredBy(table.tableArn), referredBy(table.tableName)];
  return candidates.find((each) => each instanceof CfnTable || each instanceof CfnGlobalTable);
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
  return {
    partitionKeyName: partition ?? tableDefaults.partitionKeyName,
    sortKeyName: sort ?? tableDefaults.sortKeyName,
    timeToLiveAttributeName:
      (hasTimeToLive ? timeToLive.attributeName : undefined) ?? tableDefaults.timeToLiveAttributeName,
    hasTwoStringKeys: isString(partition) && isString(sort),
    hasTimeToLive,
  };
}

function namesOf(keySchema: readonly KeyPart[]) {
  const nameOf = (type: string) => keySchema.find(({ keyType }) => keyType === type)?.attributeName;
  return { partition: nameOf('HASH'), sort: nameOf('RANGE') };
}

import { Arn, ArnFormat, Stack } from 'aws-cdk-lib';
import { CfnKey } from 'aws-cdk-lib/aws-kms';
import type { Construct, IConstruct } from 'constructs';
import type { AnyTable } from '../construct-types.ts';
import { canName, reachable, reportUnreachable } from '../destinations/reachable.ts';
import { isElsewhere } from '../destinations/regions.ts';
import { waysToKey } from '../destinations/ways-out.ts';
import { elsewhereProblem, isInPlaceOf, placeName } from '../places.ts';
import { isRenderedTrue, renderedObject, renderedProperties } from '../rendered-properties.ts';
import { tableResource } from './table-schema.ts';
import type { TableStream } from './table-stream.ts';

export interface Place {
  readonly account: string;
  readonly region: string;
}

/**
 * The ARN of an imported table tells where it is, also one that is known only at deployment: CDK takes it to be
 * where the stack is.
 */
export function placeOf(table: AnyTable): Place {
  const { tableArn, env } = table;
  const resource = tableArn.startsWith('arn:') ? undefined : tableResource(table);
  if (resource !== undefined) return Stack.of(resource);
  const { account, region } = Arn.split(tableArn, ArnFormat.SLASH_RESOURCE_NAME);
  return { account: account || env.account, region: region || env.region };
}

export function isOfAnotherAccount(table: AnyTable, account: string): boolean {
  return isElsewhere(placeOf(table).account, account);
}

/** Whether a table of the app has the key that AWS manages for DynamoDB, by its template. */
export function hasManagedTableKey(table: AnyTable): boolean {
  const { SSESpecification, Replicas } = renderedProperties(tableResource(table)) ?? {};
  const { SSEEnabled, KMSMasterKeyId } = renderedObject(SSESpecification);
  const ofReplicas = Array.isArray(Replicas)
    ? Replicas.map((replica) => renderedObject(renderedObject(replica).SSESpecification).KMSMasterKeyId)
    : [];
  const isOfAws = (key: unknown) => key === undefined || JSON.stringify(key).includes('alias/aws/');
  return isRenderedTrue(SSEEnabled) && [KMSMasterKeyId, ...ofReplicas].every(isOfAws);
}

/** The resource of the app that an import refers to stands where that is. */
function ownerOf(table: AnyTable): IConstruct {
  const resource = tableResource(table);
  return resource === undefined || resource === table.node.defaultChild ? table : resource;
}

/** What CDK would throw for, and hide all other problems, is reported at synth. */
export function reachableTable(table: AnyTable, attribute: 'tableArn' | 'tableName' = 'tableArn'): string {
  return reachable(ownerOf(table), table[attribute], attribute === 'tableArn' ? 'arn' : 'name');
}

/** The ARN of its stream, as {@link reachableTable}. */
export function reachableStream(table: AnyTable, { arn }: TableStream): string {
  return reachable(ownerOf(table), arn);
}

/** Where the stream of a table is, if the user of it is elsewhere: an event source mapping reads one of its own place. */
export function foreignStreamProblem(
  user: IConstruct,
  table: AnyTable,
  { arn }: TableStream,
): string | undefined {
  const stack = Stack.of(user);
  const isNamed = arn.startsWith('arn:');
  const { account = '', region = '' } = isNamed
    ? Arn.split(arn, ArnFormat.SLASH_RESOURCE_NAME)
    : placeOf(table);
  const isOther = isElsewhere(account, stack.account) || isElsewhere(region, stack.region);
  if (!isOther && canName(stack, ownerOf(table), arn)) return undefined;
  return isOther ? `account ${account}, region ${region}` : placeName(ownerOf(table));
}

/** Reports at synth when a construct cannot refer to a table, or to its key. */
export function reportUnreachableTable(scope: Construct, table: AnyTable, setting: string): void {
  const way = {
    setting,
    owner: ownerOf(table),
    value: table.tableArn,
    againstCycle: 'Give the table a tableName, or declare it in a stack of its own',
    acrossAccounts: 'Import it by its ARN, or give a table of another account a tableName',
  };
  for (const each of [way, ...waysToKey(table.encryptionKey, setting)]) reportUnreachable(scope, each);
}

/** Reports at synth when a construct cannot refer to a stream: no name can stand for its ARN. */
export function reportUnreachableStream(scope: Construct, table: AnyTable, { arn }: TableStream): void {
  reportUnreachable(scope, {
    setting: 'strategy',
    owner: ownerOf(table),
    value: arn,
    againstCycle: "Declare the table in a stack of its own, or use 'scan'",
    acrossAccounts: "Use 'scan'",
  });
}

/** Where both are, if the user of a table cannot refer to it; else `undefined`. */
export function namelessProblem(user: IConstruct, table: AnyTable): string | undefined {
  const owner = ownerOf(table);
  if (canName(Stack.of(user), owner, table.tableArn)) return undefined;
  return elsewhereProblem(user, owner);
}

/** Whether the metrics of a table are where its user is. */
export function isTableInPlaceOf(user: IConstruct, table: AnyTable): boolean {
  const { account, region } = Stack.of(user);
  const place = placeOf(table);
  const isOther = isElsewhere(place.account, account) || isElsewhere(place.region, region);
  return !isOther && isInPlaceOf(user, ownerOf(table));
}

/**
 * Where both are, if the app makes the key of the table in another place: no physical name is possible for a
 * key, by which others could know its ARN before it is deployed.
 */
export function foreignKeyProblem(user: IConstruct, { encryptionKey }: AnyTable): string | undefined {
  const isOfApp = encryptionKey?.node.defaultChild instanceof CfnKey;
  return isOfApp ? elsewhereProblem(user, encryptionKey) : undefined;
}

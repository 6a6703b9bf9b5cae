import { Arn, ArnFormat, Stack } from 'aws-cdk-lib';
import { CfnKey } from 'aws-cdk-lib/aws-kms';
import type { AnyTable } from '../any-resource.ts';
import { isElsewhere } from '../destinations/regions.ts';
import { resourceOf } from './table-schema.ts';

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
  const resource = tableArn.startsWith('arn:') ? undefined : resourceOf(table);
  if (resource !== undefined) return Stack.of(resource);
  const { account, region } = Arn.split(tableArn, ArnFormat.SLASH_RESOURCE_NAME);
  return { account: account || env.account, region: region || env.region };
}

export function isOfAnotherAccount(table: AnyTable, account: string): boolean {
  return isElsewhere(placeOf(table).account, account);
}

/**
 * Whether other accounts can name the table: one of the app whose name CloudFormation makes up is not known
 * to them before it is deployed.
 */
export function hasKnownName(table: AnyTable): boolean {
  const resource = resourceOf(table);
  return resource === undefined || Stack.of(resource).resolve(resource.tableName) !== undefined;
}

/** @param account of whoever uses the table */
export function arnFor(table: AnyTable, account: string): string {
  if (!isOfAnotherAccount(table, account) || hasKnownName(table)) return table.tableArn;
  // Reported at synth: CDK would throw for the ARN, and hide all other problems.
  return Stack.of(table).formatArn({ service: 'dynamodb', resource: 'table', resourceName: table.node.id });
}

/**
 * Whether the app makes the key of the table in another account: no physical name is possible for a key, by
 * which others could know its ARN before it is deployed.
 *
 * @param account of whoever uses the table
 */
export function hasForeignKey({ encryptionKey }: AnyTable, account: string): boolean {
  if (encryptionKey === undefined) return false;
  const isOfApp = encryptionKey.node.defaultChild instanceof CfnKey;
  return isOfApp && isElsewhere(Stack.of(encryptionKey).account, account);
}

import { Stack } from 'aws-cdk-lib';
import { AttributeType, CfnGlobalTable, CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import type { AnyTable } from '../any-resource.ts';

interface Schema {
  readonly keySchema?: readonly { readonly attributeName: string }[];
  readonly attributeDefinitions?: readonly {
    readonly attributeName: string;
    readonly attributeType: string;
  }[];
}

/** The keys of a table that was not made here are not known, and are taken to be right. */
export function hasTwoStringKeys(table: AnyTable): boolean {
  const resource = table.node.defaultChild;
  if (!(resource instanceof CfnTable || resource instanceof CfnGlobalTable)) return true;
  const { keySchema, attributeDefinitions = [] }: Schema = Stack.of(resource).resolve({
    keySchema: resource.keySchema,
    attributeDefinitions: resource.attributeDefinitions,
  });
  if (keySchema === undefined) return true;
  const strings = attributeDefinitions
    .filter(({ attributeType }) => attributeType === AttributeType.STRING)
    .map(({ attributeName }) => attributeName);
  return keySchema.length === 2 && keySchema.every(({ attributeName }) => strings.includes(attributeName));
}

import { Stack } from 'aws-cdk-lib';
import { AttributeType, CfnGlobalTable, CfnTable } from 'aws-cdk-lib/aws-dynamodb';
import type { AnyTable } from './any-table.ts';

interface Schema {
  readonly keySchema?: readonly { readonly attributeName: string }[];
  readonly attributeDefinitions?: readonly {
    readonly attributeName: string;
    readonly attributeType: string;
  }[];
}

/** The keys of a table that was not made here are not known, and are taken to be right. */
export function hasTwoTextKeys(table: AnyTable): boolean {
  const resource = table.node.defaultChild;
  if (!(resource instanceof CfnTable || resource instanceof CfnGlobalTable)) return true;
  const { keySchema, attributeDefinitions }: Schema = Stack.of(resource).resolve({
    keySchema: resource.keySchema,
    attributeDefinitions: resource.attributeDefinitions,
  });
  if (keySchema === undefined) return true;
  const texts = keySchema.filter(({ attributeName }) =>
    attributeDefinitions?.some(
      (definition) =>
        definition.attributeName === attributeName && definition.attributeType === AttributeType.STRING,
    ),
  );
  return keySchema.length === 2 && texts.length === 2;
}

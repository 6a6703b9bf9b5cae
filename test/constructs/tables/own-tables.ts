import type { Stack } from 'aws-cdk-lib';
import {
  AttributeType,
  CfnTable,
  type CfnTableProps,
  Table,
  type TableProps,
  type TablePropsV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';

const strings = {
  partitionKey: { name: 'pk', type: AttributeType.STRING },
  sortKey: { name: 'sk', type: AttributeType.STRING },
} as const;

/** Tables of a user's own, with keys that are not those of sagabox: each of its props may be replaced. */
export const ownTables = {
  Table: (stack: Stack, props: Partial<TableProps> = {}) =>
    new Table(stack, 'Table', { ...strings, timeToLiveAttribute: 'ttl', ...props } as TableProps),
  TableV2: (stack: Stack, props: Partial<TablePropsV2> = {}) =>
    new TableV2(stack, 'Table', { ...strings, timeToLiveAttribute: 'ttl', ...props }),
  'CfnTable by name': (stack: Stack) => Table.fromTableName(stack, 'Table', cfnTable(stack).ref),
  'CfnTable by ARN': (stack: Stack) => Table.fromTableArn(stack, 'Table', cfnTable(stack).attrArn),
} as const;

export function cfnTable(stack: Stack, props: Partial<CfnTableProps> = {}): CfnTable {
  return new CfnTable(stack, 'CfnTable', {
    attributeDefinitions: [
      { attributeName: 'pk', attributeType: 'S' },
      { attributeName: 'sk', attributeType: 'S' },
    ],
    keySchema: [
      { attributeName: 'pk', keyType: 'HASH' },
      { attributeName: 'sk', keyType: 'RANGE' },
    ],
    timeToLiveSpecification: { attributeName: 'ttl', enabled: true },
    ...props,
  });
}

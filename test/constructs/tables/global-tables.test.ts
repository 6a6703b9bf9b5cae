import { expect, it } from '@jest/globals';
import { type App, Stack } from 'aws-cdk-lib';
import {
  AttributeType,
  MultiRegionConsistency,
  Table,
  type TablePropsV2,
  TableV2,
} from 'aws-cdk-lib/aws-dynamodb';
import { expectViolation, inlineEndpoint, unbundledStack } from '../support.ts';

const keys = {
  partitionKey: { name: 'PK', type: AttributeType.STRING },
  sortKey: { name: 'SK', type: AttributeType.STRING },
  timeToLiveAttribute: 'ExpiresAt',
} as const;

function stackWith(make: (stack: Stack) => Table | TableV2, props = {}) {
  const env = { account: '111111111111', region: 'eu-west-1' };
  const stack = new Stack(unbundledStack().node.root as App, 'Global', { env });
  inlineEndpoint(stack, 'Orders', { outboxTable: make(stack), ...props });
  return stack;
}

const v2 = (props: Partial<TablePropsV2>) => (stack: Stack) =>
  new TableV2(stack, 'Table', { ...keys, ...props });
const replicas = [{ region: 'us-east-1' }];
const strong = {
  replicas: [{ region: 'eu-west-2' }],
  witnessRegion: 'eu-central-1',
  multiRegionConsistency: MultiRegionConsistency.STRONG,
};
const notAlone = "outboxTable: 'Global/Table' is a global table, and when two regions write";
const refused = "outboxTable: 'Global/Table' is a global table with strong consistency";

it.each([
  ['a table of one region', v2({}), {}, ''],
  ['replicas', v2({ replicas }), {}, notAlone],
  ['replicas, of which one writes', v2({ replicas }), { singleWriterRegion: true }, ''],
  [
    'replicas of a Table',
    (stack: Stack) => new Table(stack, 'Table', { ...keys, replicationRegions: ['us-east-1'] }),
    {},
    notAlone,
  ],
  ['strong consistency', v2(strong), {}, refused],
  ['strong consistency, where one region writes', v2(strong), { singleWriterRegion: true }, refused],
] as const)('an outbox in %s', (_case, make, props, violation) => {
  expectViolation(stackWith(make, props), violation);
  expect.hasAssertions();
});

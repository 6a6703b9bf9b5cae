import { describe, expect, it } from '@jest/globals';
import { Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { AttributeType, type CfnTable, StreamViewType, Table, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { MessagingTable, OutboxRelay, OutboxTable, SagaTable } from 'sagabox/constructs';
import { streamOf } from '../../../lib/constructs/tables/table-stream.ts';
import { expectViolation, inlineEndpoint, propertiesOf, unbundledStack, violationsOf } from '../support.ts';

const TABLE = 'AWS::DynamoDB::Table';

describe.each(Object.entries({ SagaTable, OutboxTable, MessagingTable }))(
  'the stream of a %s',
  (_name, AnyTable) => {
    it('is left out by default', () => {
      const stack = unbundledStack();
      expect(new AnyTable(stack, 'Table').hasRelayStream).toBe(false);
      expect(propertiesOf(stack, TABLE).StreamSpecification).toBeUndefined();
    });

    it.each([
      [true, 'NEW_IMAGE'],
      [StreamViewType.KEYS_ONLY, 'KEYS_ONLY'],
      [StreamViewType.NEW_AND_OLD_IMAGES, 'NEW_AND_OLD_IMAGES'],
    ])('with relayStream: %s is of %s', (relayStream, view) => {
      const stack = unbundledStack();
      expect(new AnyTable(stack, 'Table', { relayStream }).hasRelayStream).toBe(true);
      expect(propertiesOf(stack, TABLE)).toMatchObject({ StreamSpecification: { StreamViewType: view } });
      // An index would be one more write of each commit.
      expect(propertiesOf(stack, TABLE)).not.toHaveProperty('GlobalSecondaryIndexes');
    });

    it('is refused with another value', () => {
      const stack = unbundledStack();
      new AnyTable(stack, 'Table', { relayStream: 'IMAGES' as StreamViewType });
      expectViolation(stack, '[Test/Table] relayStream:');
      expect.hasAssertions();
    });
  },
);

const keys = {
  partitionKey: { name: 'PK', type: AttributeType.STRING },
  sortKey: { name: 'SK', type: AttributeType.STRING },
  timeToLiveAttribute: 'ExpiresAt',
} as const;

describe('the stream of a table that is none of sagabox', () => {
  it.each<[string, (stack: Stack) => Table | TableV2, StreamViewType | undefined]>([
    [
      'a Table',
      (stack) => new Table(stack, 'T', { ...keys, stream: StreamViewType.KEYS_ONLY }),
      StreamViewType.KEYS_ONLY,
    ],
    [
      'a TableV2',
      (stack) => new TableV2(stack, 'T', { ...keys, dynamoStream: StreamViewType.NEW_IMAGE }),
      StreamViewType.NEW_IMAGE,
    ],
    [
      'a replicated table, which has one by itself',
      (stack) =>
        new TableV2(new Stack(stack.node.root, 'Global', { env: { region: 'eu-west-1' } }), 'T', {
          ...keys,
          replicas: [{ region: 'us-east-1' }],
        }),
      StreamViewType.NEW_AND_OLD_IMAGES,
    ],
    [
      'a Table whose resource was given one',
      (stack) => {
        const table = new Table(stack, 'T', keys);
        (table.node.defaultChild as CfnTable).streamSpecification = { streamViewType: 'NEW_IMAGE' };
        return table;
      },
      StreamViewType.NEW_IMAGE,
    ],
    ['a Table without one', (stack) => new Table(stack, 'T', keys), undefined],
    ['a TableV2 without one', (stack) => new TableV2(stack, 'T', keys), undefined],
  ])('is read from the template: %s', (_case, make, viewType) => {
    const table = make(unbundledStack());
    expect(streamOf(table)?.viewType).toBe(viewType);
    expect(streamOf(table)?.arn === undefined).toBe(viewType === undefined);
  });

  it('is that of the table which an import refers to', () => {
    const stack = unbundledStack();
    const { tableArn } = new OutboxTable(stack, 'Outbox', { relayStream: true });
    const imported = Table.fromTableArn(new Stack(stack.node.root, 'Other'), 'Outbox', tableArn);
    expect(streamOf(imported)).toMatchObject({ viewType: StreamViewType.NEW_IMAGE });
  });
});

describe('a stream that nothing reads', () => {
  const warning = Match.stringLikeRegexp('^relayStream: no OutboxRelay of the app reads the stream');
  const tableIn = (stack: Stack, strategy?: 'stream' | 'scan') => {
    const outboxTable = new OutboxTable(stack, 'Outbox', { relayStream: true });
    const endpoint = inlineEndpoint(stack, 'Orders', { outboxTable });
    if (strategy !== undefined) new OutboxRelay(stack, 'Relay', { endpoints: [endpoint], strategy });
    expect(violationsOf(stack)).toBe('');
    return Annotations.fromStack(stack);
  };

  it('is a warning', () => {
    tableIn(unbundledStack()).hasWarning('/Test/Outbox', warning);
    tableIn(unbundledStack(), 'scan').hasWarning('/Test/Outbox', warning);
    expect.hasAssertions();
  });

  it('is none with a relay, nor for a table without a stream', () => {
    tableIn(unbundledStack(), 'stream').hasNoWarning('*', warning);
    const stack = unbundledStack();
    new OutboxTable(stack, 'Outbox');
    expect(violationsOf(stack)).toBe('');
    Annotations.fromStack(stack).hasNoWarning('*', warning);
  });
});

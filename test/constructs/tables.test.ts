import { describe, expect, it } from '@jest/globals';
import { RemovalPolicy } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import type { AutoscaledCapacity } from 'sagabox/constructs';
import { OutboxTable, SagaTable } from 'sagabox/constructs';
import { SagaboxError } from '../../lib/core/errors.ts';
import { allowedActions, inlineFunction, propertiesOf, unbundledStack } from './support.ts';

const TABLE = 'AWS::DynamoDB::Table';
const TARGET = 'AWS::ApplicationAutoScaling::ScalableTarget';
const POLICY = 'AWS::ApplicationAutoScaling::ScalingPolicy';

describe.each([
  ['SagaTable', SagaTable],
  ['OutboxTable', OutboxTable],
])('%s', (_name, MessagingTable) => {
  it('has the keys and the TTL attribute of the runtime', () => {
    const stack = unbundledStack();
    new MessagingTable(stack, 'Table');
    expect(propertiesOf(stack, TABLE)).toMatchObject({
      AttributeDefinitions: [
        { AttributeName: 'PK', AttributeType: 'S' },
        { AttributeName: 'SK', AttributeType: 'S' },
      ],
      KeySchema: [
        { AttributeName: 'PK', KeyType: 'HASH' },
        { AttributeName: 'SK', KeyType: 'RANGE' },
      ],
      TimeToLiveSpecification: { AttributeName: 'ExpiresAt', Enabled: true },
    });
  });

  it('is safe by default: encrypted, backed up, protected and kept', () => {
    const stack = unbundledStack();
    new MessagingTable(stack, 'Table');
    Template.fromStack(stack).hasResource(TABLE, {
      DeletionPolicy: 'Retain',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        SSESpecification: { SSEEnabled: true },
        PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
        DeletionProtectionEnabled: true,
      },
    });
  });

  it('can be destroyed when it is to be destroyed', () => {
    const stack = unbundledStack();
    new MessagingTable(stack, 'Table', { removalPolicy: RemovalPolicy.DESTROY });
    Template.fromStack(stack).hasResource(TABLE, {
      DeletionPolicy: 'Delete',
      Properties: { DeletionProtectionEnabled: false },
    });
  });

  it('takes a name, no backups and explicit protection', () => {
    const stack = unbundledStack();
    new MessagingTable(stack, 'Table', {
      tableName: 'messages',
      pointInTimeRecovery: false,
      deletionProtection: true,
      removalPolicy: RemovalPolicy.DESTROY,
    });
    expect(propertiesOf(stack, TABLE)).toMatchObject({
      TableName: 'messages',
      PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false },
      DeletionProtectionEnabled: true,
    });
  });

  it('is encrypted with a given key, which those with access may use', () => {
    const stack = unbundledStack();
    const table = new MessagingTable(stack, 'Table', { encryptionKey: new Key(stack, 'Key') });
    table.grantOutboxAccess(inlineFunction(stack, 'Function'));
    expect(propertiesOf(stack, TABLE)).toMatchObject({
      SSESpecification: {
        SSEEnabled: true,
        SSEType: 'KMS',
        KMSMasterKeyId: { 'Fn::GetAtt': expect.anything() },
      },
    });
    expect(allowedActions(stack)['Allow Key']).toContain('kms:Decrypt');
  });

  it('is billed on demand by default', () => {
    const stack = unbundledStack();
    new MessagingTable(stack, 'Table');
    expect(propertiesOf(stack, TABLE)).toMatchObject({ BillingMode: 'PAY_PER_REQUEST' });
    Template.fromStack(stack).resourceCountIs(TARGET, 0);
  });

  it('is scaled between its limits, by a utilisation of its own or of 70 %', () => {
    const stack = unbundledStack();
    new MessagingTable(stack, 'Table', {
      billing: {
        mode: 'autoscaled',
        read: { minUnits: 5, maxUnits: 50 },
        write: { minUnits: 10, maxUnits: 400, targetUtilizationPercent: 55 },
      },
    });
    const template = Template.fromStack(stack);
    expect(propertiesOf(stack, TABLE)).toMatchObject({
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 10 },
    });
    for (const [dimension, minimum, maximum] of [
      ['dynamodb:table:ReadCapacityUnits', 5, 50],
      ['dynamodb:table:WriteCapacityUnits', 10, 400],
    ]) {
      template.hasResourceProperties(TARGET, {
        ScalableDimension: dimension,
        MinCapacity: minimum,
        MaxCapacity: maximum,
      });
    }
    for (const [metric, target] of [
      ['DynamoDBReadCapacityUtilization', 70],
      ['DynamoDBWriteCapacityUtilization', 55],
    ]) {
      template.hasResourceProperties(POLICY, {
        TargetTrackingScalingPolicyConfiguration: {
          PredefinedMetricSpecification: { PredefinedMetricType: metric },
          TargetValue: target,
        },
      });
    }
  });

  const fine: AutoscaledCapacity = { minUnits: 1, maxUnits: 1 };
  it.each<[AutoscaledCapacity, string | undefined]>([
    [fine, undefined],
    [{ minUnits: 2, maxUnits: 2 }, undefined],
    [{ minUnits: 2, maxUnits: 1 }, 'maxUnits'],
    [{ minUnits: 0, maxUnits: 5 }, 'minUnits'],
    [{ minUnits: 1.5, maxUnits: 5 }, 'minUnits'],
    [{ minUnits: 1, maxUnits: Number.NaN }, 'maxUnits'],
    [{ ...fine, targetUtilizationPercent: 19 }, 'targetUtilizationPercent'],
    [{ ...fine, targetUtilizationPercent: 20 }, undefined],
    [{ ...fine, targetUtilizationPercent: 90 }, undefined],
    [{ ...fine, targetUtilizationPercent: 91 }, 'targetUtilizationPercent'],
  ])('capacity %j is refused for: %s', (capacity, field) => {
    for (const [side, billing] of [
      ['read', { mode: 'autoscaled', read: capacity, write: fine }],
      ['write', { mode: 'autoscaled', read: fine, write: capacity }],
    ] as const) {
      const make = () => new MessagingTable(unbundledStack(), 'Table', { billing });
      if (field === undefined) {
        expect(make).not.toThrow();
      } else {
        expect(make).toThrow(SagaboxError);
        expect(make).toThrow(`billing.${side}.${field}: `);
      }
    }
  });
});

describe('access to a table', () => {
  it('to sagas is to read and write them by key', () => {
    const stack = unbundledStack();
    new SagaTable(stack, 'Sagas').grantSagaAccess(inlineFunction(stack, 'Function'));
    expect(allowedActions(stack)).toEqual({
      'Allow Sagas': [
        'dynamodb:BatchGetItem',
        'dynamodb:DeleteItem',
        'dynamodb:PutItem',
        'dynamodb:UpdateItem',
      ],
    });
  });

  it('to an outbox is to read and write records, and to find and delete their chunks', () => {
    const stack = unbundledStack();
    new OutboxTable(stack, 'Outbox').grantOutboxAccess(inlineFunction(stack, 'Function'));
    expect(allowedActions(stack)).toEqual({
      'Allow Outbox': [
        'dynamodb:BatchGetItem',
        'dynamodb:BatchWriteItem',
        'dynamodb:PutItem',
        'dynamodb:Query',
      ],
    });
  });

  it('reads its metrics as those of any table', () => {
    const stack = unbundledStack();
    const metric = new SagaTable(stack, 'Sagas').metricConsumedWriteCapacityUnits();
    expect(stack.resolve(metric.toMetricConfig().metricStat)).toMatchObject({
      metricName: 'ConsumedWriteCapacityUnits',
      dimensions: [{ name: 'TableName', value: { Ref: expect.stringMatching(/^Sagas/) } }],
    });
  });
});

import { describe, expect, it } from '@jest/globals';
import { RemovalPolicy } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { MessagingTable, OutboxTable, SagaTable } from 'sagabox/constructs';
import {
  allowedActions,
  arnOf,
  inlineFunction,
  policyStatements,
  propertiesOf,
  unbundledStack,
} from '../support.ts';

const TABLE = 'AWS::DynamoDB::Table';

describe.each(Object.entries({ SagaTable, OutboxTable, MessagingTable }))('%s', (_name, AnyTable) => {
  it('has the keys and the TTL attribute of the runtime', () => {
    const stack = unbundledStack();
    new AnyTable(stack, 'Table');
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
    new AnyTable(stack, 'Table');
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
    new AnyTable(stack, 'Table', { removalPolicy: RemovalPolicy.DESTROY });
    Template.fromStack(stack).hasResource(TABLE, {
      DeletionPolicy: 'Delete',
      Properties: { DeletionProtectionEnabled: false },
    });
  });

  it('takes a name, no backups and explicit protection', () => {
    const stack = unbundledStack();
    new AnyTable(stack, 'Table', {
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
    const table = new AnyTable(stack, 'Table', { encryptionKey: new Key(stack, 'Key') });
    table.grantOutboxAccess(inlineFunction(stack, 'Function'));
    expect(propertiesOf(stack, TABLE)).toMatchObject({
      SSESpecification: {
        SSEEnabled: true,
        SSEType: 'KMS',
        KMSMasterKeyId: { 'Fn::GetAtt': expect.anything() },
      },
    });
    expect(policyStatements(stack)).toContainEqual({
      Effect: 'Allow',
      Action: 'kms:Decrypt',
      Resource: arnOf('Key'),
      Condition: {
        StringEquals: {
          'kms:ViaService': { 'Fn::Join': ['', ['dynamodb.', { Ref: 'AWS::Region' }, '.amazonaws.com']] },
        },
      },
    });
    expect(Object.keys(allowedActions(stack)).sort()).toEqual(['Allow Key', 'Allow Table']);
  });
});

it('a table has the metrics of any table', () => {
  const stack = unbundledStack();
  const metric = new SagaTable(stack, 'Sagas').metricConsumedWriteCapacityUnits();
  expect(stack.resolve(metric.toMetricConfig().metricStat)).toMatchObject({
    metricName: 'ConsumedWriteCapacityUnits',
    dimensions: [{ name: 'TableName', value: { Ref: expect.stringMatching(/^Sagas/) } }],
  });
});

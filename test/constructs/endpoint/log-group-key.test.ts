import { describe, expect, it } from '@jest/globals';
import { type App, Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { MessageEndpoint, OutboxTable } from 'sagabox/constructs';
import { arnOf, propertiesOf, unbundledStack, violationsOf } from '../support.ts';
import { entry } from './bundled-endpoint.ts';

describe('the log group of an endpoint with a key', () => {
  it('has that key, and the key lets CloudWatch Logs use it for log groups of the account alone', () => {
    const stack = unbundledStack();
    const encryptionKey = new Key(stack, 'Key');
    new MessageEndpoint(stack, 'Orders', { entry, encryptionKey });
    expect(propertiesOf(stack, 'AWS::Logs::LogGroup')).toMatchObject({ KmsKeyId: arnOf('Key') });
    const { KeyPolicy } = propertiesOf(stack, 'AWS::KMS::Key') as {
      KeyPolicy: { Statement: { Principal: { Service?: unknown } }[] };
    };
    const statements = KeyPolicy.Statement.filter(({ Principal }) =>
      JSON.stringify(Principal).includes('"logs.'),
    );
    expect(statements).toEqual([
      {
        Effect: 'Allow',
        Action: ['kms:Encrypt*', 'kms:Decrypt*', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:Describe*'],
        Principal: {
          Service: { 'Fn::Join': ['', ['logs.', { Ref: 'AWS::Region' }, '.', { Ref: 'AWS::URLSuffix' }]] },
        },
        Resource: '*',
        Condition: {
          ArnLike: {
            'kms:EncryptionContext:aws:logs:arn': {
              'Fn::Join': [
                '',
                [
                  'arn:',
                  { Ref: 'AWS::Partition' },
                  ':logs:',
                  { Ref: 'AWS::Region' },
                  ':',
                  { Ref: 'AWS::AccountId' },
                  ':log-group:*',
                ],
              ],
            },
          },
        },
      },
    ]);
  });

  it('has none without a key', () => {
    const stack = unbundledStack();
    new MessageEndpoint(stack, 'Orders', { entry });
    expect(propertiesOf(stack, 'AWS::Logs::LogGroup')).not.toHaveProperty('KmsKeyId');
  });

  it('may have that of another stack, which two endpoints share', () => {
    const app = unbundledStack().node.root as App;
    const encryptionKey = new Key(new Stack(app, 'Keys'), 'Key');
    const stack = new Stack(app, 'Shop');
    const outboxTable = new OutboxTable(stack, 'Outbox', { encryptionKey });
    for (const id of ['Orders', 'Billing'])
      new MessageEndpoint(stack, id, { entry, encryptionKey, outboxTable });
    expect(violationsOf(stack)).toBe('');
  });

  it('needs the policy of an imported key to allow CloudWatch Logs', () => {
    const stack = new Stack(unbundledStack().node.root as App, 'Shop', {
      env: { account: '111111111111', region: 'eu-west-1' },
    });
    const encryptionKey = Key.fromKeyArn(stack, 'Key', 'arn:aws:kms:eu-west-1:111111111111:key/1');
    new MessageEndpoint(stack, 'Orders', { entry, encryptionKey });
    const found = Annotations.fromStack(stack).findWarning(
      '/Shop/Key',
      Match.stringLikeRegexp('Let it allow logs\\.<region>\\.amazonaws\\.com kms:Encrypt\\*'),
    );
    expect(found).toHaveLength(1);
  });
});

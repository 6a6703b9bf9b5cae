import { describe, expect, it } from '@jest/globals';
import { type App, Aspects, Stack } from 'aws-cdk-lib';
import { Annotations, Match, Template } from 'aws-cdk-lib/assertions';
import { AnyPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Alias, Key } from 'aws-cdk-lib/aws-kms';
import { Topic, type TopicProps } from 'aws-cdk-lib/aws-sns';
import { EndpointMonitoring, type EndpointMonitoringProps, SagaTable } from 'sagabox/constructs';
import { expectViolation, inlineEndpoint, regionalStack, unbundledStack } from '../support.ts';

const account = { Ref: 'AWS::AccountId' };

function monitoredWith(stack: Stack, props: Partial<EndpointMonitoringProps>, id = 'Orders') {
  const endpoint = inlineEndpoint(stack, id);
  return new EndpointMonitoring(stack, `${id}Monitoring`, { endpoint, dashboard: false, ...props });
}

interface Statement {
  readonly Effect: string;
  readonly Action: unknown;
  readonly Principal: { readonly Service?: unknown };
}

/** What the policies of a type in the stack allow CloudWatch. */
function allowedToAlarms(stack: Stack, type: 'AWS::SNS::TopicPolicy' | 'AWS::KMS::Key'): Statement[] {
  const resources = Object.values(Template.fromStack(stack).findResources(type));
  const statements: Statement[] = resources.flatMap(
    ({ Properties: { PolicyDocument, KeyPolicy } }) => (PolicyDocument ?? KeyPolicy).Statement,
  );
  return statements.filter(({ Principal }) => Principal.Service === 'cloudwatch.amazonaws.com');
}

const allows = (Action: unknown, from: unknown) => ({
  Effect: 'Allow',
  Action,
  Principal: { Service: 'cloudwatch.amazonaws.com' },
  Resource: expect.anything(),
  Condition: { StringEquals: { 'aws:SourceAccount': from } },
});
const publishes = (from: unknown = account) => allows('sns:Publish', from);
const usesKey = (from: unknown = account) => allows(['kms:Decrypt', 'kms:GenerateDataKey'], from);

const warningsOf = (stack: Stack) =>
  Annotations.fromStack(stack)
    .findWarning('*', Match.stringLikeRegexp('^topic: the key'))
    .map(({ entry }) => entry.data);

const denyAll = new PolicyStatement({
  principals: [new AnyPrincipal()],
  actions: ['sns:Subscribe'],
  resources: ['*'],
});

describe('the policy of a topic', () => {
  it.each<[string, TopicProps, (topic: Topic, stack: Stack) => void]>([
    ['that enforces TLS', { enforceSSL: true }, () => {}],
    ['that gets one later', {}, (topic) => topic.addToResourcePolicy(denyAll)],
    [
      'that gets one by an aspect of the app',
      {},
      (topic, stack) =>
        Aspects.of(stack).add({
          visit: (node) => void (node === topic && topic.addToResourcePolicy(denyAll)),
        }),
    ],
  ])('%s allows alarms to notify it', (_which, props, later) => {
    const stack = unbundledStack();
    const topic = new Topic(stack, 'Pager', props);
    monitoredWith(stack, { topic });
    later(topic, stack);
    expect(allowedToAlarms(stack, 'AWS::SNS::TopicPolicy')).toMatchObject([publishes()]);
    expectViolation(stack, '');
  });

  it('is left to SNS when nothing else makes one', () => {
    const stack = unbundledStack();
    monitoredWith(stack, { topic: new Topic(stack, 'Pager') });
    Template.fromStack(stack).resourceCountIs('AWS::SNS::TopicPolicy', 0);
  });

  it('is that of each topic which alarms notify', () => {
    const stack = unbundledStack();
    const [critical, warning] = ['Pager', 'Tickets'].map((id) => new Topic(stack, id, { enforceSSL: true }));
    monitoredWith(stack, { topics: { critical, warning } as never });
    monitoredWith(stack, { topics: { critical, warning } as never }, 'Billing');
    expect(allowedToAlarms(stack, 'AWS::SNS::TopicPolicy')).toMatchObject([publishes(), publishes()]);
  });

  it('allows the alarms of a table', () => {
    const stack = unbundledStack();
    const topic = new Topic(stack, 'Alarms', { enforceSSL: true, masterKey: new Key(stack, 'Key') });
    new SagaTable(stack, 'Sagas', { capacityAlarms: { topic } });
    expect(allowedToAlarms(stack, 'AWS::SNS::TopicPolicy')).toMatchObject([publishes()]);
    expect(allowedToAlarms(stack, 'AWS::KMS::Key')).toMatchObject([usesKey()]);
  });

  it('allows them when an endpoint of another account subscribes', () => {
    const shop = regionalStack('eu-west-1');
    const other = new Stack(shop.node.root as App, 'Other', {
      env: { account: '222222222222', region: 'eu-west-1' },
    });
    const topic = new Topic(shop, 'Shop', { topicName: 'shop' });
    inlineEndpoint(other, 'Billing').subscribesTo(topic);
    monitoredWith(shop, { topic });
    expect(allowedToAlarms(shop, 'AWS::SNS::TopicPolicy')).toMatchObject([publishes('111111111111')]);
  });

  it('allows the alarms of another account by its own', () => {
    const shop = regionalStack('eu-west-1');
    const platform = new Stack(shop.node.root as App, 'Platform', {
      env: { account: '222222222222', region: 'eu-west-1' },
    });
    const masterKey = new Key(platform, 'Key');
    monitoredWith(shop, { topic: new Topic(platform, 'Pager', { topicName: 'pager', masterKey }) });
    expectViolation(shop, '');
    expect(allowedToAlarms(platform, 'AWS::SNS::TopicPolicy')).toMatchObject([publishes('111111111111')]);
    expect(allowedToAlarms(platform, 'AWS::KMS::Key')).toMatchObject([usesKey('111111111111')]);
  });

  it('makes no stacks depend on each other', () => {
    const shop = unbundledStack();
    const platform = new Stack(shop.node.root as App, 'Platform');
    const keys = new Stack(shop.node.root as App, 'Keys');
    const topic = new Topic(platform, 'Pager', { enforceSSL: true, masterKey: new Key(keys, 'Key') });
    monitoredWith(shop, { topic });
    expectViolation(shop, '');
    expect(allowedToAlarms(platform, 'AWS::SNS::TopicPolicy')).toMatchObject([publishes()]);
    expect(allowedToAlarms(keys, 'AWS::KMS::Key')).toMatchObject([usesKey()]);
  });

  it('stays as it is when the topic is imported', () => {
    const stack = unbundledStack();
    const topic = Topic.fromTopicArn(stack, 'Pager', 'arn:aws:sns:eu-west-1:111111111111:pager');
    monitoredWith(stack, { topic });
    Template.fromStack(stack).resourceCountIs('AWS::SNS::TopicPolicy', 0);
    expectViolation(stack, '');
  });
});

describe('the key of a topic', () => {
  it('allows alarms to use it, by an alias too', () => {
    for (const make of [
      (stack: Stack) => new Key(stack, 'Key'),
      (stack: Stack) => new Alias(stack, 'Alias', { aliasName: 'pager', targetKey: new Key(stack, 'Key') }),
    ]) {
      const stack = unbundledStack();
      monitoredWith(stack, { topic: new Topic(stack, 'Pager', { masterKey: make(stack) }) });
      expect(allowedToAlarms(stack, 'AWS::KMS::Key')).toMatchObject([usesKey()]);
      expect(warningsOf(stack)).toEqual([]);
    }
  });

  it('has to allow it when it is imported', () => {
    const stack = unbundledStack();
    const masterKey = Alias.fromAliasName(stack, 'Key', 'alias/aws/sns');
    const topic = new Topic(stack, 'Pager', { masterKey });
    expect(warningsOf(stack)).toEqual([]);
    monitoredWith(stack, { topic });
    monitoredWith(stack, { topic }, 'Billing');
    expect(warningsOf(stack)).toEqual([
      "topic: the key 'Test/Key' of 'Test/Pager' is imported, so that its policy stays as it is. Let it allow " +
        'cloudwatch.amazonaws.com kms:Decrypt and kms:GenerateDataKey: without that, alarms notify nobody. A key of AWS, ' +
        'such as alias/aws/sns, cannot allow it. [ack: sagabox:topicKey:Test/Pager]',
    ]);
  });
});

import { describe, expect, it } from '@jest/globals';
import type { AssemblyStack, Template } from '../../../../lib/local/app/cloud-assembly.ts';
import { modelResources, type ResourceModel } from '../../../../lib/local/app/resources/model.ts';
import { runnableResources } from '../../../../lib/local/app/resources/runnable.ts';

const here = 'arn:aws:lambda:us-east-1:000000000000:function:App-Node';
const queue = 'arn:aws:sqs:us-east-1:000000000000:App-Queue';
const topic = 'arn:aws:sns:us-east-1:000000000000:App-Topic';

/** An app with a queue, tables, a bus, functions in two languages, and one resource more. */
function runnable(type: string, properties: Record<string, unknown>): ResourceModel {
  const code = { Handler: 'index.handler', Code: { S3Bucket: 'assets', S3Key: 'asset.zip' } };
  const template: Template = {
    Resources: {
      Queue: { Type: 'AWS::SQS::Queue' },
      Topic: { Type: 'AWS::SNS::Topic' },
      Plain: { Type: 'AWS::DynamoDB::Table' },
      Table: {
        Type: 'AWS::DynamoDB::GlobalTable',
        Properties: { StreamSpecification: { StreamViewType: 'NEW_IMAGE' } },
      },
      Bus: { Type: 'AWS::Events::EventBus', Properties: { Name: 'bus' } },
      Node: { Type: 'AWS::Lambda::Function', Properties: { Runtime: 'nodejs24.x', ...code } },
      Python: { Type: 'AWS::Lambda::Function', Properties: { Runtime: 'python3.13', ...code } },
      It: { Type: type, Properties: properties },
    },
  };
  const stack: AssemblyStack = {
    name: 'App',
    template,
    nestedTemplates: [],
    assetPaths: new Map([['asset', '/code']]),
  };
  return runnableResources(modelResources([stack], 'http://queues'));
}

/** What of the one resource more is run. */
function runs(type: string, properties: Record<string, unknown>): boolean {
  const { resources, notRun } = runnable(type, properties);
  const isNamed = notRun.some(({ type: named, logicalIds }) => named === type && logicalIds.includes('It'));
  const isRun = resources.some(({ logicalId }) => logicalId === 'It');
  expect(isNamed).toBe(!isRun);
  return isRun;
}

function rule(properties: Record<string, unknown>, ...targets: Record<string, unknown>[]): boolean {
  return runs('AWS::Events::Rule', {
    ...properties,
    Targets: targets.map((target, index) => ({ Id: String(index), ...target })),
  });
}

const pattern = { EventPattern: { source: ['shop'] } };
const rate = { ScheduleExpression: 'rate(5 minutes)' };

describe('what the local runtime runs', () => {
  it('is a subscription of a queue, and of nothing else', () => {
    const subscription = (changed: object): boolean =>
      runs('AWS::SNS::Subscription', { TopicArn: topic, Protocol: 'sqs', Endpoint: queue, ...changed });
    expect(subscription({})).toBe(true);
    expect(subscription({ Protocol: 'lambda' })).toBe(false);
    expect(subscription({ TopicArn: topic.replace('Topic', 'Other') })).toBe(false);
    expect(subscription({ Endpoint: queue.replace('000000000000', '111111111111') })).toBe(false);
  });

  it('is of the subscribers that a topic itself names the queues, and says so of others', () => {
    const subscribers = [
      { Protocol: 'sqs', Endpoint: queue },
      { Protocol: 'email', Endpoint: 'shop@example.com' },
    ];
    const topicWith = (count: number): Template => ({
      Resources: {
        Queue: { Type: 'AWS::SQS::Queue' },
        It: { Type: 'AWS::SNS::Topic', Properties: { Subscription: subscribers.slice(0, count) } },
      },
    });
    const notRun = (template: Template) => {
      const stack: AssemblyStack = { name: 'App', template, nestedTemplates: [], assetPaths: new Map() };
      return runnableResources(modelResources([stack], 'http://queues')).notRun;
    };
    expect(notRun(topicWith(1))).toEqual([]);
    expect(notRun(topicWith(2))).toEqual([
      { stackName: 'App', type: 'AWS::SNS::Topic Subscription', logicalIds: ['It'] },
    ]);
  });

  it('is an enabled event source that feeds a function of the app, or an alias or a version of it', () => {
    const mapping = (changed: object): boolean =>
      runs('AWS::Lambda::EventSourceMapping', { EventSourceArn: queue, FunctionName: here, ...changed });
    expect(mapping({})).toBe(true);
    expect(mapping({ FunctionName: `${here}:live` })).toBe(true);
    expect(mapping({ FunctionName: 'App-Node' })).toBe(true);
    expect(mapping({ Enabled: true, BatchSize: 100, MaximumBatchingWindowInSeconds: 5 })).toBe(true);
    expect(mapping({ Enabled: false })).toBe(false);
    expect(mapping({ FunctionName: here.replace('Node', 'Python') })).toBe(false);
    expect(mapping({ FunctionName: here.replace('Node', 'Elsewhere') })).toBe(false);
    expect(mapping({ EventSourceArn: queue.replace('Queue', 'Elsewhere') })).toBe(false);
    expect(mapping({ EventSourceArn: queue.replace('sqs', 'kinesis') })).toBe(false);
    expect(mapping({ FilterCriteria: {} })).toBe(false);
  });

  it('is an enabled event source of the stream of a table of the app, with filters', () => {
    const mapping = (changed: object, table = 'Table'): boolean =>
      runs('AWS::Lambda::EventSourceMapping', {
        EventSourceArn: { 'Fn::GetAtt': [table, 'StreamArn'] },
        FunctionName: here,
        StartingPosition: 'LATEST',
        ...changed,
      });
    const imported = 'arn:aws:dynamodb:us-east-1:000000000000:table/App-Table/stream/2026-01-01T00:00:00.000';
    expect(mapping({})).toBe(true);
    expect(mapping({ FilterCriteria: { Filters: [{ Pattern: '{"eventName":["INSERT"]}' }] } })).toBe(true);
    expect(mapping({ EventSourceArn: imported })).toBe(true);
    expect(mapping({ Enabled: false })).toBe(false);
    expect(mapping({}, 'Plain')).toBe(false);
    expect(mapping({ FunctionName: here.replace('Node', 'Python') })).toBe(false);
    expect(mapping({ EventSourceArn: imported.replace('App-Table', 'Elsewhere') })).toBe(false);
    expect(mapping({ EventSourceArn: imported.replace('000000000000', '111111111111') })).toBe(false);
    expect(mapping({ EventSourceArn: imported.replace('dynamodb', 'kinesis') })).toBe(false);
  });

  it('is a mapping of a stream without what is not played, and says so', () => {
    const mapping = { EventSourceArn: { 'Fn::GetAtt': ['Table', 'StreamArn'] }, FunctionName: here };
    const { resources, notRun } = runnable('AWS::Lambda::EventSourceMapping', {
      ...mapping,
      MaximumRetryAttempts: 3,
    });
    expect(resources.map(({ logicalId }) => logicalId)).toContain('It');
    expect(notRun.filter(({ logicalIds }) => logicalIds.includes('It'))).toEqual([
      {
        stackName: 'App',
        type: 'AWS::Lambda::EventSourceMapping MaximumRetryAttempts',
        logicalIds: ['It'],
      },
    ]);
  });

  it('is a rule that sends events to queues', () => {
    expect(rule(pattern, { Arn: queue, SqsParameters: { MessageGroupId: 'g' } })).toBe(true);
    expect(rule(pattern, { Arn: queue }, { Arn: here })).toBe(false);
    expect(rule(pattern, { Arn: queue, InputPath: '$.detail' })).toBe(false);
    expect(rule(pattern, { Arn: queue, InputTransformer: {} })).toBe(false);
  });

  it('is a rule of the default bus or of one that is declared', () => {
    const busArn = 'arn:aws:events:us-east-1:000000000000:event-bus/bus';
    expect(rule({ ...pattern, EventBusName: 'default' }, { Arn: queue })).toBe(true);
    expect(rule({ ...pattern, EventBusName: 'bus' }, { Arn: queue })).toBe(true);
    expect(rule({ ...pattern, EventBusName: busArn }, { Arn: queue })).toBe(true);
    expect(rule({ ...pattern, EventBusName: 'elsewhere' }, { Arn: queue })).toBe(false);
  });

  it('is a rule that invokes functions of the app at a rate', () => {
    expect(rule(rate, { Arn: here })).toBe(true);
    expect(rule(rate, { Arn: `${here}:live` })).toBe(true);
    expect(rule(rate, { Arn: here, Input: '{"a":1}' })).toBe(true);
    expect(rule(rate, { Arn: here, InputTransformer: {} })).toBe(false);
    expect(rule(rate, { Arn: here.replace('Node', 'Python') })).toBe(false);
    expect(rule(rate, { Arn: queue })).toBe(false);
    expect(rule({ ScheduleExpression: 'cron(0 3 * * ? *)' }, { Arn: here })).toBe(false);
    expect(rule({ ...rate, ...pattern }, { Arn: here })).toBe(false);
  });
});

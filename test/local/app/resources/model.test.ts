import { describe, expect, it } from '@jest/globals';
import type { AssemblyStack, Template } from '../../../../lib/local/app/cloud-assembly.ts';
import { modelResources } from '../../../../lib/local/app/resources/model.ts';

function stackOf(name: string, template: Template): AssemblyStack {
  return { name, template, nestedTemplates: [], assetPaths: new Map() };
}

function queue(properties: Record<string, unknown> = {}): {
  Type: string;
  Properties: Record<string, unknown>;
} {
  return { Type: 'AWS::SQS::Queue', Properties: properties };
}

function model(...stacks: AssemblyStack[]) {
  return modelResources(stacks, 'http://queues');
}

describe('the model of the declared resources', () => {
  it('names a resource after its stack and logical id, or as it is named', () => {
    const { resources } = model(
      stackOf('App', { Resources: { A: queue(), B: queue({ QueueName: 'given' }) } }),
    );
    expect(resources.map(({ name }) => name)).toEqual(['App-A', 'given']);
  });

  it('gives FIFO queues their suffix, and cuts long names without making two alike', () => {
    const long = 'L'.repeat(100);
    const { resources } = model(
      stackOf('App', {
        Resources: {
          [`${long}1`]: queue({ FifoQueue: true }),
          [`${long}2`]: queue({ FifoQueue: true }),
        },
      }),
    );
    const names = resources.map(({ name }) => name);
    expect(new Set(names).size).toBe(2);
    for (const name of names) expect(name).toMatch(/^.{59}\.fifo$/);
  });

  it('resolves references between resources, and into other stacks', () => {
    const exporting = stackOf('Base', {
      Resources: { Q: queue() },
      Outputs: { Url: { Value: { Ref: 'Q' }, Export: { Name: 'Base:Url' } } },
    });
    const importing = stackOf('App', {
      Resources: {
        R: queue({
          Own: { 'Fn::GetAtt': ['R', 'Arn'] },
          Imported: { 'Fn::ImportValue': 'Base:Url' },
          Region: { Ref: 'AWS::Region' },
        }),
      },
    });
    const { resources, outputs } = model(exporting, importing);
    expect(resources[1]?.properties).toEqual({
      Own: 'arn:aws:sqs:us-east-1:000000000000:App-R',
      Imported: 'http://queues/000000000000/Base-Q',
      Region: 'us-east-1',
    });
    expect(outputs).toEqual({
      Url: 'http://queues/000000000000/Base-Q',
      'Base.Url': 'http://queues/000000000000/Base-Q',
    });
  });

  it('gives functions other queue URLs than outputs', () => {
    const stack = stackOf('App', {
      Resources: { Q: queue(), R: queue({ Url: { Ref: 'Q' } }) },
      Outputs: { Url: { Value: { Ref: 'Q' } } },
    });
    const { resources, outputs } = modelResources([stack], 'http://inside', 'http://outside');
    expect(resources[1]?.properties.Url).toBe('http://inside/000000000000/App-Q');
    expect(outputs.Url).toBe('http://outside/000000000000/App-Q');
  });

  it.each([
    [
      'the engine has made',
      new Map([['App-T', 'arn:aws:dynamodb:local:000000000000:table/App-T/stream/7']]),
      '7',
    ],
    ['no engine has made yet', undefined, 'latest'],
  ])('resolves the ARN of a stream that %s, in properties and outputs', (_when, streamArns, label) => {
    const StreamArn = { 'Fn::GetAtt': ['T', 'StreamArn'] };
    const stack = stackOf('App', {
      Resources: { T: { Type: 'AWS::DynamoDB::GlobalTable' }, Q: queue({ StreamArn }) },
      Outputs: { Stream: { Value: StreamArn } },
    });
    const { resources, outputs } = modelResources([stack], 'http://queues', 'http://queues', streamArns);
    expect(resources[1]?.properties.StreamArn).toMatch(
      new RegExp(`^arn:aws:.*:table/App-T/stream/${label}$`),
    );
    expect(outputs.Stream).toBe(resources[1]?.properties.StreamArn);
  });

  it('resolves outputs of stacks that come later, through others, in both directions', () => {
    const output = (stackName: string, outputName: string) => ({
      'Fn::GetStackOutput': { StackName: stackName, Region: { Ref: 'AWS::Region' }, OutputName: outputName },
    });
    const first = stackOf('First', {
      Resources: { Q: queue({ Far: output('Second', 'Passed') }) },
      Outputs: { Arn: { Value: { 'Fn::GetAtt': ['Q', 'Arn'] } } },
    });
    const second = stackOf('Second', {
      Resources: { Q: queue({ Near: output('First', 'Arn') }) },
      Outputs: { Passed: { Value: { 'Fn::Join': ['', [output('First', 'Arn'), '/x']] } } },
    });
    const { resources } = model(first, second);
    const arn = 'arn:aws:sqs:us-east-1:000000000000:First-Q';
    expect(resources.map(({ properties }) => properties)).toEqual([{ Far: `${arn}/x` }, { Near: arn }]);
  });

  it.each([
    ['Base', 'Other', 'Base.Other'],
    ['Elsewhere', 'Arn', 'Elsewhere.Arn'],
  ])('says so of an output of %s that is not there: %s', (StackName, OutputName, named) => {
    const base = stackOf('Base', { Outputs: { Arn: { Value: 'arn' } } });
    const reader = stackOf('App', {
      Resources: { Q: queue({ Value: { 'Fn::GetStackOutput': { StackName, OutputName } } }) },
    });
    expect(model(base, reader).resources[0]?.properties).toEqual({
      Value: `not-run-locally:unknown:${named}`,
    });
  });

  it('keeps apart what two stacks call alike', () => {
    const stack = (name: string, url: string) =>
      stackOf(name, {
        Resources: { Q: queue(), K: { Type: 'AWS::KMS::Key' } },
        Outputs: { Url: { Value: url } },
      });
    const { resources, notRun, outputs } = model(stack('A', 'a'), stack('B', 'b'));
    expect(resources.map(({ name }) => name)).toEqual(['A-Q', 'B-Q']);
    expect(notRun.map(({ stackName, logicalIds }) => [stackName, logicalIds])).toEqual([
      ['A', ['K']],
      ['B', ['K']],
    ]);
    expect(outputs).toEqual({ 'A.Url': 'a', 'B.Url': 'b' });
  });

  it.each([
    [{ Ref: 'Live' }, 'arn:aws:lambda:us-east-1:000000000000:function:App-Fn:live'],
    [{ 'Fn::GetAtt': ['Live', 'AliasArn'] }, 'arn:aws:lambda:us-east-1:000000000000:function:App-Fn:live'],
    [{ Ref: 'First' }, 'arn:aws:lambda:us-east-1:000000000000:function:App-Fn:1'],
    [{ 'Fn::GetAtt': ['First', 'Version'] }, '1'],
  ])('resolves %j of an alias or a version to an ARN of its function', (value, expected) => {
    const { resources } = model(
      stackOf('App', {
        Resources: {
          Q: queue({ value }),
          Fn: { Type: 'AWS::Lambda::Function' },
          First: { Type: 'AWS::Lambda::Version', Properties: { FunctionName: { Ref: 'Fn' } } },
          Live: {
            Type: 'AWS::Lambda::Alias',
            Properties: { Name: 'live', FunctionName: { 'Fn::GetAtt': ['Fn', 'Arn'] } },
          },
        },
      }),
    );
    expect(resources[0]?.properties).toEqual({ value: expected });
  });

  it('names what it does not run, by type, and lets references to it say so', () => {
    const { resources, notRun } = model(
      stackOf('App', {
        Resources: {
          Stream: { Type: 'AWS::Kinesis::Stream' },
          Other: { Type: 'AWS::Kinesis::Stream' },
          Key: { Type: 'AWS::KMS::Key' },
          Q: queue({ Feeds: { Ref: 'Stream' }, Arn: { 'Fn::GetAtt': ['Key', 'Arn'] } }),
        },
      }),
    );
    expect(notRun).toEqual([
      { stackName: 'App', type: 'AWS::Kinesis::Stream', logicalIds: ['Stream', 'Other'] },
      { stackName: 'App', type: 'AWS::KMS::Key', logicalIds: ['Key'] },
    ]);
    expect(resources[0]?.properties).toEqual({
      Feeds: 'not-run-locally:AWS::Kinesis::Stream:Stream',
      Arn: 'not-run-locally:AWS::KMS::Key:Key.Arn',
    });
  });

  it('gives a role that is not run an ARN that services accept', () => {
    const { resources, notRun } = model(
      stackOf('App', {
        Resources: {
          Role: { Type: 'AWS::IAM::Role' },
          Q: queue({ Arn: { 'Fn::GetAtt': ['Role', 'Arn'] } }),
        },
      }),
    );
    expect(notRun).toEqual([{ stackName: 'App', type: 'AWS::IAM::Role', logicalIds: ['Role'] }]);
    expect(resources[0]?.properties).toEqual({ Arn: 'arn:aws:iam::000000000000:role/App-Role' });
  });

  it.each([
    ['AWS::SNS::Topic', {}, 'arn:aws:sns:us-east-1:000000000000:App-It', { TopicName: 'App-It' }],
    ['AWS::SNS::Topic', { FifoTopic: true }, 'arn:aws:sns:us-east-1:000000000000:App-It.fifo', {}],
    ['AWS::SNS::Topic', { TopicName: 'given' }, 'arn:aws:sns:us-east-1:000000000000:given', {}],
    ['AWS::S3::Bucket', {}, 'app-it', { Arn: 'arn:aws:s3:::app-it', DomainName: 'app-it.s3.amazonaws.com' }],
    ['AWS::S3::Bucket', { BucketName: 'given' }, 'given', {}],
    [
      'AWS::Events::EventBus',
      { Name: 'bus' },
      'bus',
      { Arn: 'arn:aws:events:us-east-1:000000000000:event-bus/bus', Name: 'bus' },
    ],
    ['AWS::Events::Rule', {}, 'App-It', { Arn: 'arn:aws:events:us-east-1:000000000000:rule/App-It' }],
    [
      'AWS::Scheduler::ScheduleGroup',
      {},
      'App-It',
      { Arn: 'arn:aws:scheduler:us-east-1:000000000000:schedule-group/App-It' },
    ],
  ])('resolves references to an %s with %j', (type, properties, reference, attributes) => {
    const asked = Object.keys(attributes).map((name) => [name, { 'Fn::GetAtt': ['It', name] }]);
    const { resources } = model(
      stackOf('App', {
        Resources: {
          It: { Type: type, Properties: properties },
          Q: queue({ reference: { Ref: 'It' }, attributes: Object.fromEntries(asked) }),
        },
      }),
    );
    expect(resources[1]?.properties).toEqual({ reference, attributes });
  });

  it('gives buckets names that S3 takes', () => {
    const { resources } = model(
      stackOf('App', { Resources: { [`Big${'B'.repeat(100)}`]: { Type: 'AWS::S3::Bucket' } } }),
    );
    expect(resources[0]?.name).toMatch(/^app-bigb+-[0-9a-f]{8}$/);
    expect(resources[0]?.name).toHaveLength(63);
  });
});

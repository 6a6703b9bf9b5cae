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
    expect(outputs).toEqual({ Url: 'http://queues/000000000000/Base-Q' });
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
      { type: 'AWS::Kinesis::Stream', logicalIds: ['Stream', 'Other'] },
      { type: 'AWS::KMS::Key', logicalIds: ['Key'] },
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
    expect(notRun).toEqual([{ type: 'AWS::IAM::Role', logicalIds: ['Role'] }]);
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

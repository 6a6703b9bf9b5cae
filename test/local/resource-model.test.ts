import { describe, expect, it } from '@jest/globals';
import type { AssemblyStack, Template } from '../../lib/local/cloud-assembly.ts';
import { modelResources } from '../../lib/local/resource-model.ts';

function stackOf(name: string, template: Template): AssemblyStack {
  return { name, template, assetDirectories: new Map() };
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
          Topic: { Type: 'AWS::SNS::Topic' },
          Other: { Type: 'AWS::SNS::Topic' },
          Role: { Type: 'AWS::IAM::Role' },
          Q: queue({ Feeds: { Ref: 'Topic' }, Arn: { 'Fn::GetAtt': ['Role', 'Arn'] } }),
        },
      }),
    );
    expect(notRun).toEqual([
      { type: 'AWS::SNS::Topic', logicalIds: ['Topic', 'Other'] },
      { type: 'AWS::IAM::Role', logicalIds: ['Role'] },
    ]);
    expect(resources[0]?.properties).toEqual({
      Feeds: 'not-run-locally:AWS::SNS::Topic:Topic',
      Arn: 'not-run-locally:AWS::IAM::Role:Role.Arn',
    });
  });
});

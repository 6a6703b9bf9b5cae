import { expect, it } from '@jest/globals';
import { type App, Stack, Stage } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import type { Construct } from 'constructs';
import {
  ClaimCheckBucket,
  MessageEndpoint,
  MessageScheduler,
  OutboxTable,
  SagaTable,
} from 'sagabox/constructs';
import { unbundledStack } from '../support.ts';
import { entry } from './bundled-endpoint.ts';

const keptTypes = [
  'AWS::DynamoDB::Table',
  'AWS::IAM::Role',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::Logs::LogGroup',
  'AWS::S3::Bucket',
  'AWS::SQS::Queue',
  'AWS::Scheduler::ScheduleGroup',
];

/** The logical ids of what must not be replaced, by type. */
function logicalIds(scope: Construct, id: string): Record<string, string[]> {
  const stack = new Stack(scope, id, { stackName: 'Shop' });
  new MessageEndpoint(stack, 'Orders', {
    entry,
    sagaTable: new SagaTable(stack, 'Sagas'),
    outboxTable: new OutboxTable(stack, 'Outbox'),
    scheduler: new MessageScheduler(stack, 'Scheduler'),
    claimCheck: new ClaimCheckBucket(stack, 'Bodies'),
  });
  const template = Template.fromStack(stack);
  return Object.fromEntries(
    keptTypes.map((type) => [type, Object.keys(template.findResources(type)).sort()]),
  );
}

it('no logical id of what is kept depends on the path of the stack', () => {
  const [app, other, third] = [0, 1, 2].map(() => unbundledStack().node.root as App) as [App, App, App];
  const before = logicalIds(app, 'Shop');
  for (const ids of Object.values(before)) expect(ids.length).toBeGreaterThan(0);
  expect(logicalIds(new Stage(other, 'Prod'), 'Shop')).toEqual(before);
  expect(logicalIds(third, 'Renamed')).toEqual(before);
});

it('they are what they have been', () => {
  expect(logicalIds(unbundledStack().node.root as App, 'Shop')).toMatchObject({
    'AWS::Lambda::EventSourceMapping': ['OrdersEventSourceA4848199'],
    'AWS::SQS::Queue': [
      'OrdersDeadLetterQueueA73944CE',
      'OrdersErrorQueueB6A055C9',
      'OrdersQueueC538DD4C',
      'SchedulerDeadLetterQueue6601E543',
    ],
  });
});

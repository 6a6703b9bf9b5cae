import { describe, expect, it } from '@jest/globals';
import { type App, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { MessageEndpoint, MessageScheduler } from 'sagabox/constructs';
import { allowedActions, inlineFunction, policyStatements, propertiesOf, unbundledStack } from './support.ts';
import { variablesOf } from './variables.ts';

const GROUP = 'AWS::Scheduler::ScheduleGroup';

const endpoint = (stack: Stack, id: string, scheduler?: boolean | MessageScheduler) =>
  new MessageEndpoint(stack, id, {
    function: inlineFunction(stack, `${id}Own`),
    ...(scheduler === undefined ? {} : { scheduler }),
  });

const startsWith = (prefix: string) => expect.stringMatching(new RegExp(`^${prefix}`));

describe('an endpoint without a scheduler', () => {
  it.each([undefined, false])('has none of its resources and permissions: %s', (scheduler) => {
    const stack = unbundledStack();
    expect(endpoint(stack, 'Orders', scheduler).scheduler).toBeUndefined();
    expect(Object.keys(Template.fromStack(stack).findResources(GROUP))).toEqual([]);
    expect(variablesOf(stack, 'OrdersOwn')).not.toHaveProperty('SAGABOX_SCHEDULER');
    expect(JSON.stringify(policyStatements(stack))).not.toMatch(/scheduler|PassRole/);
  });
});

describe('an endpoint with a scheduler', () => {
  it('tells its function the schedule group, the role that sends, and the dead letter queue', () => {
    const stack = unbundledStack();
    endpoint(stack, 'Orders', true);
    expect(variablesOf(stack, 'OrdersOwn').SAGABOX_SCHEDULER).toEqual({
      'Fn::Join': [
        '',
        [
          '{"groupName":"',
          { Ref: startsWith('OrdersSchedulerGroup') },
          '","roleArn":"',
          { 'Fn::GetAtt': [startsWith('OrdersSchedulerRole'), 'Arn'] },
          '","deadLetterArn":"',
          { 'Fn::GetAtt': [startsWith('OrdersSchedulerDeadLetterQueue'), 'Arn'] },
          '"}',
        ],
      ],
    });
  });

  it('may make and delete the schedules of its group, and pass its role to that service only', () => {
    const stack = unbundledStack();
    endpoint(stack, 'Orders', true);
    const statements = policyStatements(stack, 'OrdersOwn').filter(({ Action }) =>
      /scheduler|PassRole/.test(String(Action)),
    );
    expect(statements).toEqual([
      {
        Action: ['scheduler:CreateSchedule', 'scheduler:DeleteSchedule'],
        Effect: 'Allow',
        Resource: {
          'Fn::Join': [
            '',
            [
              'arn:',
              { Ref: 'AWS::Partition' },
              ':scheduler:',
              { Ref: 'AWS::Region' },
              ':',
              { Ref: 'AWS::AccountId' },
              ':schedule/',
              { Ref: startsWith('OrdersSchedulerGroup') },
              '/*',
            ],
          ],
        },
      },
      {
        Action: 'iam:PassRole',
        Condition: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
        Effect: 'Allow',
        Resource: { 'Fn::GetAtt': [startsWith('OrdersSchedulerRole'), 'Arn'] },
      },
    ]);
  });

  it('has a role that only schedules of its group in its account may take', () => {
    const stack = unbundledStack();
    endpoint(stack, 'Orders', true);
    const { AssumeRolePolicyDocument } = propertiesOf(stack, 'AWS::IAM::Role', 'OrdersSchedulerRole');
    expect(AssumeRolePolicyDocument).toEqual({
      Statement: [
        {
          Action: 'sts:AssumeRole',
          Condition: {
            ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [startsWith('OrdersSchedulerGroup'), 'Arn'] } },
            StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
          },
          Effect: 'Allow',
          Principal: { Service: 'scheduler.amazonaws.com' },
        },
      ],
      Version: '2012-10-17',
    });
  });

  it('lets schedules send to its queue destinations, also to those that are added later, and to no others', () => {
    const stack = unbundledStack();
    const orders = endpoint(stack, 'Orders', true);
    const billing = endpoint(stack, 'Billing');
    const encrypted = new Queue(stack, 'Mail', { encryptionMasterKey: new Key(stack, 'Key') });
    orders.sendsTo(billing, { name: 'mail', queue: encrypted });
    expect(allowedActions(stack, 'OrdersSchedulerPolicy')).toEqual({
      'Allow OrdersQueue': ['sqs:SendMessage'],
      'Allow BillingQueue': ['sqs:SendMessage'],
      'Allow Mail': ['sqs:SendMessage'],
      'Allow Key': ['kms:Decrypt', 'kms:GenerateDataKey'],
    });
  });
});

describe('a scheduler', () => {
  it('keeps what its schedules could not send for 14 days, encrypted, and counts it', () => {
    const stack = unbundledStack();
    const scheduler = new MessageScheduler(stack, 'Scheduler');
    expect(propertiesOf(stack, 'AWS::SQS::Queue', 'SchedulerDeadLetterQueue')).toEqual({
      MessageRetentionPeriod: 1_209_600,
      SqsManagedSseEnabled: true,
    });
    const { PolicyDocument } = propertiesOf(stack, 'AWS::SQS::QueuePolicy', 'SchedulerDeadLetterQueue');
    expect(JSON.stringify(PolicyDocument)).toContain('"aws:SecureTransport":"false"');
    expect(allowedActions(stack, 'SchedulerRole')).toEqual({
      'Allow SchedulerDeadLetterQueue': ['sqs:SendMessage'],
    });
    expect(scheduler.metricDeadLetters()).toMatchObject({
      metricName: 'ApproximateNumberOfMessagesVisible',
      dimensions: { QueueName: scheduler.deadLetterQueue.queueName },
    });
  });

  it('may be shared: each endpoint adds its own destinations', () => {
    const stack = unbundledStack();
    const scheduler = new MessageScheduler(stack, 'Scheduler', { groupName: 'timeouts' });
    const orders = endpoint(stack, 'Orders', scheduler);
    endpoint(stack, 'Billing', orders.scheduler);
    expect(propertiesOf(stack, GROUP)).toEqual({ Name: 'timeouts' });
    expect(allowedActions(stack, 'OrdersSchedulerPolicy')).toEqual({
      'Allow OrdersQueue': ['sqs:SendMessage'],
    });
    expect(allowedActions(stack, 'BillingSchedulerPolicy')).toEqual({
      'Allow BillingQueue': ['sqs:SendMessage'],
    });
    for (const id of ['Orders', 'Billing']) {
      expect(propertiesOf(stack, 'AWS::IAM::Policy', `${id}SchedulerPolicy`).Roles).toEqual([
        { Ref: startsWith('SchedulerRole') },
      ]);
    }
  });

  it('may be shared by stacks, which then depend on its own', () => {
    const stack = unbundledStack();
    const app = stack.node.root as App;
    const scheduler = new MessageScheduler(new Stack(app, 'Shared'), 'Scheduler');
    endpoint(stack, 'Orders', scheduler);
    // Synth throws when stacks depend on each other.
    app.synth();
    expect(stack.dependencies.map(({ stackName }) => stackName)).toEqual(['Shared']);
  });

  it('of another region than the endpoint is refused', () => {
    const violationOf = (region: string) => {
      const main = unbundledStack();
      inlineFunction(main, 'Any');
      const app = main.node.root as App;
      const scheduler = new MessageScheduler(
        new Stack(app, 'Shared', { env: { account: '111111111111', region } }),
        'Scheduler',
        { groupName: 'timeouts' },
      );
      const env = { account: '111111111111', region: 'eu-west-1' };
      endpoint(new Stack(app, 'Local', { env, crossRegionReferences: true }), 'Orders', scheduler);
      return messageOfSynth(app);
    };
    expect(violationOf('eu-west-1')).toBe('');
    expect(violationOf('us-east-1')).toContain('scheduler: Shared/Scheduler is in another region');
  });
});

function messageOfSynth(app: App): string {
  try {
    app.synth();
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

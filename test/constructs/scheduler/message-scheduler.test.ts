import { describe, expect, it } from '@jest/globals';
import { type App, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { MessageScheduler } from 'sagabox/constructs';
import {
  allowedActions,
  arnOf,
  inlineEndpoint,
  inlineFunction,
  policyStatements,
  propertiesOf,
  refOf,
  startsWith,
  unbundledStack,
  variablesOf,
  violationsOf,
} from '../support.ts';

const GROUP = 'AWS::Scheduler::ScheduleGroup';

const endpoint = (stack: Stack, id: string, scheduler: boolean | MessageScheduler = false) =>
  inlineEndpoint(stack, id, { scheduler });

const scheduleActions = [
  'scheduler:CreateSchedule',
  'scheduler:DeleteSchedule',
  'scheduler:GetSchedule',
  'scheduler:GetScheduleGroup',
];

describe('an endpoint without a scheduler', () => {
  it('has none of its resources and permissions', () => {
    const stack = unbundledStack();
    expect(inlineEndpoint(stack, 'Orders').scheduler).toBeUndefined();
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
          '","roleName":"',
          refOf('OrdersSchedulerRole'),
          '","deadLetterQueueName":"',
          { 'Fn::GetAtt': [startsWith('OrdersSchedulerDeadLetterQueue'), 'QueueName'] },
          '"}',
        ],
      ],
    });
  });

  it('may make, read and delete the schedules of its group, and pass its role to that service only', () => {
    const stack = unbundledStack();
    endpoint(stack, 'Orders', true);
    const statements = policyStatements(stack, 'OrdersOwn').filter(({ Action }) =>
      /scheduler|PassRole/.test(String(Action)),
    );
    expect(statements).toEqual([
      {
        Action: scheduleActions,
        Effect: 'Allow',
        Resource: [
          {
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
          arnOf('OrdersSchedulerGroup'),
        ],
      },
      {
        Action: 'iam:PassRole',
        Condition: { StringEquals: { 'iam:PassedToService': 'scheduler.amazonaws.com' } },
        Effect: 'Allow',
        Resource: arnOf('OrdersSchedulerRole'),
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
            ArnEquals: { 'aws:SourceArn': arnOf('OrdersSchedulerGroup') },
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
      MaximumMessageSize: 1_048_576,
      MessageRetentionPeriod: 1_209_600,
      SqsManagedSseEnabled: true,
    });
    const { PolicyDocument } = propertiesOf(stack, 'AWS::SQS::QueuePolicy', 'SchedulerDeadLetterQueue');
    expect(JSON.stringify(PolicyDocument)).toContain('"aws:SecureTransport":"false"');
    expect(allowedActions(stack, 'SchedulerRole')).toEqual({
      'Allow SchedulerDeadLetterQueue': ['sqs:SendMessage'],
    });
    expect(scheduler.metricDeadLetterQueueMessages()).toMatchObject({
      metricName: 'ApproximateNumberOfMessagesVisible',
      dimensions: { QueueName: scheduler.deadLetterQueue.queueName },
    });
  });

  it.each([
    [undefined, 'Retain'],
    [RemovalPolicy.RETAIN, 'Retain'],
    [RemovalPolicy.DESTROY, 'Delete'],
  ])(
    'keeps its pending schedules, and all they send with, unless it is to be destroyed: %s',
    (removalPolicy, kept) => {
      const stack = unbundledStack();
      const props = removalPolicy === undefined ? {} : { removalPolicy };
      endpoint(stack, 'Orders', new MessageScheduler(stack, 'Scheduler', props));
      const policies = policiesOfRemoval(stack, /^(Scheduler|OrdersSchedulerPolicy)/);
      expect(policies).toEqual({
        'AWS::Scheduler::ScheduleGroup': [kept, kept],
        'AWS::IAM::Role': [kept, kept],
        'AWS::IAM::Policy': [kept, kept],
        'AWS::SQS::Queue': [kept, kept],
        'AWS::SQS::QueuePolicy': [kept, kept],
      });
    },
  );

  it('leaves what else is kept of its endpoint to that', () => {
    const stack = unbundledStack();
    endpoint(stack, 'Orders', true);
    const others = Object.values(policiesOfRemoval(stack, /^(?!OrdersScheduler)/)).flat();
    expect(new Set(others)).toEqual(new Set([undefined, 'Retain']));
  });

  it.each<[string, (stack: Stack) => MessageScheduler, (stack: Stack) => MessageScheduler]>([
    [
      'a group of another name',
      (stack) => new MessageScheduler(stack, 'Scheduler'),
      (stack) => new MessageScheduler(stack, 'Scheduler', { groupName: 'timeouts' }),
    ],
    [
      'a group whose name was changed',
      (stack) => new MessageScheduler(stack, 'Scheduler', { groupName: 'timeouts' }),
      (stack) => new MessageScheduler(stack, 'Scheduler', { groupName: 'delays' }),
    ],
    [
      'a scheduler of another id',
      (stack) => new MessageScheduler(stack, 'Scheduler'),
      (stack) => new MessageScheduler(stack, 'Shared'),
    ],
  ])('leaves role and policies to the schedules that wait in the former group: %s', (_, before, after) => {
    const idsWith = (make: (stack: Stack) => MessageScheduler) => {
      const stack = unbundledStack();
      endpoint(stack, 'Orders', make(stack));
      const { Resources } = Template.fromStack(stack).toJSON();
      return Object.keys(Resources).filter(
        (id) => /Scheduler.*(Role|Policy)|SharedRole/.test(id) && !/Queue/.test(id),
      );
    };
    const kept = idsWith(before);
    expect(kept).toHaveLength(3);
    expect(idsWith(after).filter((id) => kept.includes(id))).toEqual([]);
  });

  it('may be shared: its role may send to the destinations of all, by one policy', () => {
    const stack = unbundledStack();
    const scheduler = new MessageScheduler(stack, 'Scheduler', { groupName: 'timeouts' });
    const orders = endpoint(stack, 'Orders', scheduler);
    endpoint(stack, 'Billing', orders.scheduler);
    expect(propertiesOf(stack, GROUP)).toEqual({ Name: 'timeouts' });
    orders.sendsTo({ name: 'again', queue: orders.queue });
    expect(policyStatements(stack, 'SchedulerPolicy')).toEqual([
      {
        Action: 'sqs:SendMessage',
        Effect: 'Allow',
        Resource: [arnOf('OrdersQueue'), arnOf('BillingQueue')],
      },
    ]);
    expect(propertiesOf(stack, 'AWS::IAM::Policy', 'SchedulerPolicy').Roles).toEqual([
      { Ref: startsWith('SchedulerRole') },
    ]);
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
      endpoint(new Stack(app, 'Local', { env }), 'Orders', scheduler);
      return violationsOf(main);
    };
    expect(violationOf('eu-west-1')).toBe('');
    expect(violationOf('us-east-1')).toContain(
      "scheduler: 'Shared/Scheduler' is in account 111111111111, region us-east-1",
    );
  });
});

/** DeletionPolicy and UpdateReplacePolicy by resource type; resources of one type have to agree. */
function policiesOfRemoval(stack: Stack, ids: RegExp): Record<string, unknown[]> {
  const { Resources } = Template.fromStack(stack).toJSON() as { Resources: Record<string, RetainedResource> };
  const policies: Record<string, unknown[]> = {};
  for (const [id, { Type, DeletionPolicy, UpdateReplacePolicy }] of Object.entries(Resources)) {
    if (!ids.test(id)) continue;
    const found = [DeletionPolicy, UpdateReplacePolicy];
    expect(policies[Type] ?? found).toEqual(found);
    policies[Type] = found;
  }
  return policies;
}

interface RetainedResource {
  readonly Type: string;
  readonly DeletionPolicy?: string;
  readonly UpdateReplacePolicy?: string;
}

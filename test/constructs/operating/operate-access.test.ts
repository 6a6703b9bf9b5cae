import { describe, expect, it } from '@jest/globals';
import type { Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import {
  AccountPrincipal,
  AnyPrincipal,
  ArnPrincipal,
  Group,
  type IGrantable,
  ManagedPolicy,
  Policy,
  Role,
  ServicePrincipal,
  User,
} from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue, type QueuePolicy } from 'aws-cdk-lib/aws-sqs';
import { type MessageEndpointProps, OutboxTable, SagaTable } from 'sagabox/constructs';
import {
  allowedActions,
  inlineEndpoint,
  inlineFunction,
  ordersEndpoint,
  variablesOf,
  violationsOf,
} from '../support.ts';

function operated(props: (stack: Stack) => Partial<MessageEndpointProps> = () => ({})) {
  const { stack, orders } = ordersEndpoint(props);
  const operator = new Role(stack, 'Operator', { assumedBy: new AccountPrincipal('111111111111') });
  const grant = orders.grantOperate(operator);
  const allowed = (): Record<string, string[]> => {
    const actions = allowedActions(stack, 'Operator');
    return Object.fromEntries(
      Object.entries(actions).map(([resource, names]) => [
        resource.replace(/^Allow \{.*:cloudformation:.*$/, 'Allow the stack'),
        [...new Set(names)],
      ]),
    );
  };
  return { stack, orders, grant, allowed };
}

const describeStack = { 'Allow the stack': ['cloudformation:DescribeStacks'] };
const moveOut = [
  'sqs:ChangeMessageVisibility',
  'sqs:DeleteMessage',
  'sqs:GetQueueAttributes',
  'sqs:ReceiveMessage',
];
const send = ['sqs:GetQueueUrl', 'sqs:SendMessage'];

describe('who operates an endpoint', () => {
  it('may move messages out of its failure queues into its own, and read the outputs of its stack', () => {
    const { allowed } = operated();
    expect(allowed()).toEqual({
      ...describeStack,
      'Allow OrdersErrorQueue': moveOut,
      'Allow OrdersDeadLetterQueue': moveOut,
      'Allow OrdersQueue': send,
    });
  });

  it.each<[string, boolean, string[]]>([
    ['', false, []],
    [
      ', also in the items of its sagas',
      true,
      ['dynamodb:PartiQLUpdate', 'dynamodb:Scan', 'dynamodb:UpdateItem'],
    ],
  ])(
    'may run its relay%s, and read its tables by key, and nothing else of them',
    (_where, embeddedOutbox, ofEntries) => {
      const { stack, orders, allowed } = operated((own) => ({
        embeddedOutbox,
        sagaTable: new SagaTable(own, 'Sagas'),
        outboxTable: new OutboxTable(own, 'Outbox'),
      }));
      orders.sendsTo(inlineEndpoint(stack, 'Billing'));
      expect(allowed()).toEqual({
        ...describeStack,
        'Allow OrdersErrorQueue': moveOut,
        'Allow OrdersDeadLetterQueue': moveOut,
        'Allow OrdersQueue': send,
        'Allow BillingQueue': ['sqs:SendMessage'],
        'Allow Sagas': [
          'dynamodb:BatchGetItem',
          'dynamodb:GetItem',
          'dynamodb:Query',
          ...ofEntries,
        ].toSorted(),
        'Allow Outbox': [
          'dynamodb:BatchGetItem',
          'dynamodb:BatchWriteItem',
          'dynamodb:GetItem',
          'dynamodb:Query',
          'dynamodb:Scan',
          'dynamodb:UpdateItem',
        ],
      });
    },
  );

  it.each([
    [1, []],
    [80, ['ssm:GetParameters']],
  ])('may read what the settings of %i destinations refer to, and nothing beside that', (count, expected) => {
    const { stack, orders, allowed } = operated((own) => ({ outboxTable: new OutboxTable(own, 'Outbox') }));
    const queue = new Queue(stack, 'Audit');
    for (let index = 0; index < count; index++) orders.sendsTo({ name: `destination-${index}`, queue });
    const ofParameters = Object.entries(allowed()).filter(([, actions]) => /ssm/.test(String(actions)));
    expect(ofParameters.flatMap(([, actions]) => actions)).toEqual(expected);
    const reference = String(variablesOf(stack, 'Own').SAGABOX_DESTINATIONS);
    const path = reference.replace('ssm:', ':parameter').replace(/[^/]+$/, '[*]');
    for (const [resource] of ofParameters) expect(resource).toMatch(new RegExp(`${path}"\\]\\]\\}$`));
  });

  it('reads the lists of tables with a stream, and scans them when that is due', () => {
    const { allowed } = operated((own) => ({
      sagaTable: new SagaTable(own, 'Sagas', { relayStream: true }),
      outboxTable: new OutboxTable(own, 'Outbox', { relayStream: true }),
      embeddedOutbox: true,
    }));
    const relaying = ['dynamodb:DeleteItem', 'dynamodb:Query', 'dynamodb:Scan'];
    expect(allowed()['Allow Outbox']).toEqual(expect.arrayContaining(relaying));
    expect(allowed()['Allow Sagas']).toEqual(expect.arrayContaining(relaying));
    expect(JSON.stringify(allowed())).not.toMatch(/DescribeTable|GetRecords/);
  });

  it('may use the key of encrypted queues, with no wildcards', () => {
    const { allowed } = operated((own) => ({ encryptionKey: new Key(own, 'Key') }));
    expect(allowed()).toMatchObject({ 'Allow Key': ['kms:Decrypt', 'kms:GenerateDataKey'] });
    expect(
      Object.values(allowed())
        .flat()
        .filter((action) => action.includes('*')),
    ).toEqual([]);
  });

  it('may move messages out of a queue that the endpoint gets later, and out of an error queue of its own', () => {
    const { stack, orders, allowed } = operated((own) => ({
      errorQueue: new Queue(own, 'SharedErrors'),
    }));
    orders.subscribesTo(new Topic(stack, 'Placed', { fifo: true }));
    expect(allowed()).toMatchObject({
      'Allow SharedErrors': moveOut,
      'Allow OrdersUndeliveredQueue': moveOut,
    });
  });

  it.each([
    ['before', true],
    ['after', false],
  ])(
    'may move messages out of the only failure queue of an imported one, granted %s it is there',
    (_, isBefore) => {
      const { stack, orders } = ordersEndpoint((own) => ({
        queue: Queue.fromQueueArn(own, 'Given', 'arn:aws:sqs:eu-west-1:111111111111:given'),
        errorQueue: false,
      }));
      const subscribe = () => orders.subscribesTo(new Topic(stack, 'Placed'));
      const operator = new Role(stack, 'Operator', { assumedBy: new AccountPrincipal('111111111111') });
      if (!isBefore) subscribe();
      orders.grantOperate(operator);
      if (isBefore) subscribe();
      expect(allowedActions(stack, 'Operator')).toMatchObject({ 'Allow OrdersUndeliveredQueue': moveOut });
    },
  );

  it('gets a grant that tells whether it took effect', () => {
    expect(operated().grant.success).toBe(true);
  });
});

describe('a grantee', () => {
  const arn = 'arn:aws:iam::111111111111:role/operator';
  const warningsOf = (grantee: (stack: Stack) => IGrantable) => {
    const { stack, orders } = ordersEndpoint();
    orders.grantOperate(grantee(stack));
    const found = Annotations.fromStack(stack).findWarning('*', Match.stringLikeRegexp('^grantOperate'));
    return found.map(({ entry }) => String(entry.data));
  };

  it.each([
    new ArnPrincipal(arn),
    new AccountPrincipal('111111111111'),
    new ServicePrincipal('ec2.amazonaws.com'),
    new AnyPrincipal(),
  ])('without policies of its own is refused, and no queue is opened to it: %s', (grantee) => {
    const { stack, orders } = ordersEndpoint();
    const policies = () =>
      [orders.queue, orders.errorQueue, orders.deadLetterQueue].map((queue) =>
        JSON.stringify(
          stack.resolve((queue?.node.tryFindChild('Policy') as QueuePolicy | undefined)?.document),
        ),
      );
    const before = policies();
    expect(before[0]).toContain('Statement');
    expect(orders.grantOperate(grantee).success).toBe(false);
    expect(policies()).toEqual(before);
    expect(violationsOf(stack)).toContain(
      `[Test/Orders] grantOperate: the grantee is of the kind ${grantee.constructor.name}, which has no policies of its own`,
    );
  });

  it('whose policies cannot be changed is warned of', () => {
    expect(warningsOf((stack) => Role.fromRoleArn(stack, 'Operator', arn, { mutable: false }))).toEqual([
      expect.stringContaining(
        "'Test/Operator' takes no policies of the app, so that nothing is granted to it",
      ),
    ]);
  });

  it.each<[string, (stack: Stack) => IGrantable]>([
    ['an imported role', (stack) => Role.fromRoleArn(stack, 'Operator', arn)],
    ['a user', (stack) => new User(stack, 'Operator')],
    ['an imported user', (stack) => User.fromUserName(stack, 'Operator', 'operator')],
    ['a group', (stack) => new Group(stack, 'Operator')],
    ['a function', (stack) => inlineFunction(stack, 'Operator')],
    ['a managed policy', (stack) => new ManagedPolicy(stack, 'Operator')],
    ['a policy', (stack) => new Policy(stack, 'Operator', { users: [new User(stack, 'User')] })],
  ])('is granted to, and not warned of, if it is %s', (_, grantee) => {
    expect(warningsOf(grantee)).toEqual([]);
    const { stack, orders } = ordersEndpoint();
    expect(orders.grantOperate(grantee(stack)).success).toBe(true);
  });
});

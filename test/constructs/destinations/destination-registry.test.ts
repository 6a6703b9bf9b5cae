import { describe, expect, it } from '@jest/globals';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { ClaimCheckBucket, OutboxTable, SagaTable } from 'sagabox/constructs';
import {
  arnOf,
  inlineFunction,
  ordersEndpoint,
  policyStatements,
  startsWith,
  variablesOf,
} from '../support.ts';

const scheduleActions = [
  'scheduler:CreateSchedule',
  'scheduler:DeleteSchedule',
  'scheduler:GetSchedule',
  'scheduler:GetScheduleGroup',
];

describe('another function that dispatches for an endpoint', () => {
  it('may do so to all destinations, also to those that are added later, and nothing else', () => {
    const { stack, orders } = ordersEndpoint((scope) => ({
      outboxTable: new OutboxTable(scope, 'Outbox'),
      claimCheck: new ClaimCheckBucket(scope, 'Bodies'),
      scheduler: true,
    }));
    orders.sendsTo({ name: 'before', queue: new Queue(stack, 'Before') });
    orders.grantDispatch(inlineFunction(stack, 'Relay'));
    orders.sendsTo({ name: 'after', queue: new Queue(stack, 'After') });
    orders.publishesTo(new Topic(stack, 'Events'));
    orders.publishesTo(new EventBus(stack, 'Company'), { messageTypes: ['A'] });
    const statements = policyStatements(stack, 'Relay').map(({ Action, Resource }) => [Action, Resource]);
    expect(statements).toEqual([
      [scheduleActions, expect.anything()],
      ['iam:PassRole', arnOf('OrdersSchedulerRole')],
      ['sqs:SendMessage', arnOf('OrdersQueue')],
      ['sqs:SendMessage', arnOf('Before')],
      ['sqs:SendMessage', arnOf('After')],
      ['sns:Publish', { Ref: startsWith('Events') }],
      ['events:PutEvents', arnOf('Company')],
    ]);
  });

  it('is allowed each thing once, however often it is asked', () => {
    const { stack, orders } = ordersEndpoint();
    const other = inlineFunction(stack, 'Relay');
    orders.grantDispatch(other);
    orders.grantDispatch(other);
    expect(policyStatements(stack, 'Relay')).toHaveLength(1);
  });

  it('gets the same environment, without the variables of the user', () => {
    const { stack, orders } = ordersEndpoint((scope) => ({
      sagaTable: new SagaTable(scope, 'Sagas'),
      outboxTable: new OutboxTable(scope, 'Outbox'),
      claimCheck: new ClaimCheckBucket(scope, 'Bodies'),
      scheduler: true,
      environment: { MINE: 'yes' },
    }));
    const other = inlineFunction(stack, 'Relay');
    for (const [name, value] of Object.entries(orders.handlerEnvironment)) other.addEnvironment(name, value);
    orders.publishesTo(new Topic(stack, 'Events'));
    const { MINE, ...own } = variablesOf(stack, 'Own');
    expect(MINE).toBe('yes');
    expect(variablesOf(stack, 'Relay')).toEqual(own);
  });
});

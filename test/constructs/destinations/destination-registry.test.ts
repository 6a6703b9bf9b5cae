import { describe, expect, it } from '@jest/globals';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { ClaimCheckBucket, MessageEndpoint, OutboxTable, SagaTable } from 'sagabox/constructs';
import { inlineFunction, policyStatements, unbundledStack } from '../support.ts';
import { variablesOf } from '../variables.ts';

const scheduleActions = [
  'scheduler:CreateSchedule',
  'scheduler:DeleteSchedule',
  'scheduler:GetSchedule',
  'scheduler:GetScheduleGroup',
];

describe('another function that dispatches for an endpoint', () => {
  it('may do so to all destinations, also to those that are added later, and nothing else', () => {
    const stack = unbundledStack();
    const orders = new MessageEndpoint(stack, 'Orders', {
      function: inlineFunction(stack, 'Own'),
      outboxTable: new OutboxTable(stack, 'Outbox'),
      claimCheck: new ClaimCheckBucket(stack, 'Bodies'),
      scheduler: true,
    });
    orders.sendsTo({ name: 'before', queue: new Queue(stack, 'Before') });
    orders.grantDispatch(inlineFunction(stack, 'Relay'));
    orders.sendsTo({ name: 'after', queue: new Queue(stack, 'After') });
    orders.publishesTo(new Topic(stack, 'Events'));
    orders.publishesTo(new EventBus(stack, 'Company'), { messageTypes: ['A'] });
    const statements = policyStatements(stack, 'Relay').map(({ Action, Resource }) => [Action, Resource]);
    const arnOf = (id: string) => ({ 'Fn::GetAtt': [expect.stringMatching(new RegExp(`^${id}`)), 'Arn'] });
    expect(statements).toEqual([
      [scheduleActions, expect.anything()],
      ['iam:PassRole', arnOf('OrdersSchedulerRole')],
      ['sqs:SendMessage', arnOf('OrdersQueue')],
      ['sqs:SendMessage', arnOf('Before')],
      ['sqs:SendMessage', arnOf('After')],
      ['sns:Publish', { Ref: expect.stringMatching(/^Events/) }],
      ['events:PutEvents', arnOf('Company')],
    ]);
  });

  it('is allowed each thing once, however often it is asked', () => {
    const stack = unbundledStack();
    const orders = new MessageEndpoint(stack, 'Orders', { function: inlineFunction(stack, 'Own') });
    const other = inlineFunction(stack, 'Relay');
    orders.grantDispatch(other);
    orders.grantDispatch(other);
    expect(policyStatements(stack, 'Relay')).toHaveLength(1);
  });

  it('gets the same environment, without the variables of the user', () => {
    const stack = unbundledStack();
    const orders = new MessageEndpoint(stack, 'Orders', {
      function: inlineFunction(stack, 'Own'),
      sagaTable: new SagaTable(stack, 'Sagas'),
      outboxTable: new OutboxTable(stack, 'Outbox'),
      claimCheck: new ClaimCheckBucket(stack, 'Bodies'),
      scheduler: true,
      environment: { MINE: 'yes' },
    });
    const other = inlineFunction(stack, 'Relay');
    for (const [name, value] of Object.entries(orders.handlerEnvironment)) other.addEnvironment(name, value);
    orders.publishesTo(new Topic(stack, 'Events'));
    const { MINE, ...own } = variablesOf(stack, 'Own');
    expect(MINE).toBe('yes');
    expect(variablesOf(stack, 'Relay')).toEqual(own);
    expect(Object.keys(own).sort()).toEqual([
      'SAGABOX_CLAIM_CHECK',
      'SAGABOX_DEDUPLICATION_PERIOD_SECONDS',
      'SAGABOX_DESTINATIONS',
      'SAGABOX_ENDPOINT',
      'SAGABOX_ERROR_QUEUE',
      'SAGABOX_MAX_RECEIVE_COUNT',
      'SAGABOX_OUTBOX_TABLE',
      'SAGABOX_PUBLISH_TO',
      'SAGABOX_SAGA_TABLE',
      'SAGABOX_SCHEDULER',
    ]);
  });
});

describe('the relay index of the outbox', () => {
  it.each([
    ['an outbox with it', { relayIndex: true }, 'true'],
    ['an outbox without it', { relayIndex: false }, undefined],
    ['an outbox by default', {}, undefined],
  ])('is told to the function: %s', (_which, props, value) => {
    for (const Table of [OutboxTable, SagaTable]) {
      const stack = unbundledStack();
      const outboxTable = new Table(stack, 'Outbox', props);
      new MessageEndpoint(stack, 'Orders', { function: inlineFunction(stack, 'Own'), outboxTable });
      expect(variablesOf(stack, 'Own').SAGABOX_RELAY_INDEX).toBe(value);
    }
  });

  it('of a table for sagas only is not', () => {
    const stack = unbundledStack();
    const sagaTable = new SagaTable(stack, 'Sagas', { relayIndex: true });
    new MessageEndpoint(stack, 'Orders', { function: inlineFunction(stack, 'Own'), sagaTable });
    expect(variablesOf(stack, 'Own')).not.toHaveProperty('SAGABOX_RELAY_INDEX');
  });
});

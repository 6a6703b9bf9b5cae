import { describe, expect, it } from '@jest/globals';
import type { Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  allowedActions,
  expectViolation,
  inlineEndpoint,
  ordersEndpoint,
  policyStatements,
  regionalStack,
  variablesOf,
  violationsOf,
} from '../support.ts';

describe('an endpoint that publishes to a topic', () => {
  it('knows it by its id, for all message types', () => {
    const { stack, orders } = ordersEndpoint();
    orders.publishesTo(new Topic(stack, 'OrderEvents'));
    const variables = variablesOf(stack, 'Own');
    expect(JSON.parse(String(variables.SAGABOX_PUBLISH_TO))).toEqual({ '*': 'orderevents' });
    expect(JSON.stringify(variables.SAGABOX_DESTINATIONS)).toMatch(
      /orderevents.*sns:.*\["OrderEvents\w+","TopicName"\]/,
    );
  });

  it('may use the key of an encrypted one', () => {
    const { stack, orders } = ordersEndpoint();
    orders.publishesTo(new Topic(stack, 'OrderEvents', { masterKey: new Key(stack, 'Key') }));
    expect(allowedActions(stack)['Allow Key']).toEqual(['kms:Decrypt', 'kms:GenerateDataKey']);
  });
});

describe('an endpoint that publishes to an event bus', () => {
  it('knows it by the given name, for the given message types', () => {
    const { stack, orders } = ordersEndpoint();
    orders.publishesTo(new EventBus(stack, 'Company'), {
      name: 'world',
      messageTypes: ['OrderPlaced', 'OrderShipped'],
    });
    const variables = variablesOf(stack, 'Own');
    expect(JSON.parse(String(variables.SAGABOX_PUBLISH_TO))).toEqual({
      OrderPlaced: 'world',
      OrderShipped: 'world',
    });
    expect(JSON.stringify(variables.SAGABOX_DESTINATIONS)).toMatch(/world.*events:.*\{"Ref":"Company/);
  });

  it('may use the default one of the account', () => {
    const { stack, orders } = ordersEndpoint();
    orders.publishesTo(EventBus.fromEventBusName(stack, 'Default', 'default'));
    expect(JSON.stringify(variablesOf(stack, 'Own').SAGABOX_DESTINATIONS)).toContain('events:default\\"}');
  });
});

describe('the publications of an endpoint', () => {
  it('leave no variable when there are none', () => {
    expect(variablesOf(ordersEndpoint().stack, 'Own')).not.toHaveProperty('SAGABOX_PUBLISH_TO');
  });

  it('may go to several targets by their types, and the rest to one', () => {
    const { stack, orders } = ordersEndpoint();
    const topic = new Topic(stack, 'OrderEvents');
    orders.publishesTo(new EventBus(stack, 'Company'), { messageTypes: ['OrderShipped'] });
    orders.publishesTo(topic, { messageTypes: ['OrderPlaced'] });
    orders.publishesTo(topic);
    expect(JSON.parse(String(variablesOf(stack, 'Own').SAGABOX_PUBLISH_TO))).toEqual({
      OrderShipped: 'company',
      OrderPlaced: 'orderevents',
      '*': 'orderevents',
    });
    expect(statementsOf(stack, 'sns:')).toHaveLength(1);
  });

  it.each([
    ['one type to two', ['A', 'B'], ['B'], "'B' goes to 'first' already"],
    ['all types to two', undefined, undefined, "all other message types go to 'first' already"],
    ['no type', ['A'], [], 'messageTypes is empty'],
    ['a type without a name', ['A'], [''], 'a message type is empty'],
    ['different types to two', ['A'], ['B'], undefined],
    ['one type to another than the rest', undefined, ['B'], undefined],
  ])('are refused or not: %s', (_which, ofFirst, ofSecond, problem) => {
    const { stack, orders } = ordersEndpoint();
    const publish = (id: string, messageTypes: readonly string[] | undefined) =>
      orders.publishesTo(new Topic(stack, id), messageTypes === undefined ? {} : { messageTypes });
    publish('First', ofFirst);
    publish('Second', ofSecond);
    expectViolation(stack, problem === undefined ? '' : `[Test/Orders] publishesTo: ${problem}`);
  });

  it('have names of their own among the destinations', () => {
    const { stack, orders } = ordersEndpoint();
    orders.publishesTo(new Topic(stack, 'Any'), { name: 'orders' });
    orders.publishesTo(new EventBus(stack, 'Bus'), { name: '' });
    const found = violationsOf(stack);
    expect(found).toContain(
      "[Test/Orders] publishesTo: the destination 'orders' already stands for the queue 'Test/Orders/Queue'. Give the topic 'Test/Any' another name.",
    );
    expect(found).toContain('[Test/Orders] publishesTo: a destination has an empty name');
  });
});

describe('the destinations of an endpoint', () => {
  it('may be topics and event buses, to which nothing is published', () => {
    const { stack, orders } = ordersEndpoint();
    orders.sendsTo(
      { name: 'audit', topic: new Topic(stack, 'Audit') },
      { name: 'company', eventBus: new EventBus(stack, 'Company') },
    );
    const variables = variablesOf(stack, 'Own');
    expect(JSON.stringify(variables.SAGABOX_DESTINATIONS)).toMatch(/audit.*company/);
    expect(variables).not.toHaveProperty('SAGABOX_PUBLISH_TO');
    expect(statementsOf(stack, 'sns:Publish')).toHaveLength(1);
    expect(statementsOf(stack, 'events:PutEvents')).toHaveLength(1);
  });
});

describe('a topic or an event bus of another region', () => {
  const account = '111111111111';
  const endpointIn = (region: string | undefined) => {
    const stack = regionalStack(region);
    const orders = inlineEndpoint(stack, 'Orders');
    orders.sendsTo({
      name: 'far',
      queue: Queue.fromQueueArn(stack, 'Queue', `arn:aws:sqs:us-east-1:${account}:far`),
    });
    orders.publishesTo(Topic.fromTopicArn(stack, 'Topic', `arn:aws:sns:us-east-1:${account}:events`));
    orders.sendsTo({
      name: 'bus',
      eventBus: EventBus.fromEventBusArn(
        stack,
        'Bus',
        `arn:aws:events:us-east-1:${account}:event-bus/company`,
      ),
    });
    return stack;
  };

  it.each([
    ['us-east-1', 'no problem'],
    [undefined, 'no problem'],
    ['eu-west-1', '[Regional/Orders] sendsTo: Regional/Queue, Regional/Bus is in another region'],
    ['eu-west-1', '[Regional/Orders] publishesTo: Regional/Topic is in another region'],
  ])('seen from %s: %s', (region, report) => {
    const violation = report === 'no problem' ? '' : report;
    expectViolation(endpointIn(region), violation);
  });
});

function statementsOf(stack: Stack, action: string) {
  return policyStatements(stack).filter(({ Action }) => String(Action).startsWith(action));
}

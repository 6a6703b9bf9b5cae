import { describe, expect, it } from '@jest/globals';
import { type App, Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { expectViolation, inlineEndpoint, propertiesOf, regionalStack } from '../support.ts';

const region = 'eu-west-1';

function twoAccounts(otherRegion = region) {
  const shop = regionalStack(region);
  const env = { account: '222222222222', region: otherRegion };
  const platform = new Stack(shop.node.root as App, 'Platform', { env });
  return { shop, platform, orders: inlineEndpoint(shop, 'Orders') };
}

const warningsOf = (stack: Stack) =>
  Annotations.fromStack(stack)
    .findWarning('*', Match.stringLikeRegexp('^subscribesTo'))
    .map(({ entry }) => entry.data);

describe('a topic of another account', () => {
  it('allows the account of the endpoint to subscribe, when it is of the app', () => {
    const { shop, platform, orders } = twoAccounts();
    orders.subscribesTo(new Topic(platform, 'Events', { topicName: 'events' }));
    expectViolation(shop, '');
    expect(propertiesOf(platform, 'AWS::SNS::TopicPolicy')).toMatchObject({
      PolicyDocument: {
        Statement: [
          {
            Action: 'sns:Subscribe',
            Condition: { StringEquals: { 'sns:Protocol': 'sqs' } },
            Effect: 'Allow',
            Principal: {
              AWS: { 'Fn::Join': ['', ['arn:', { Ref: 'AWS::Partition' }, ':iam::111111111111:root']] },
            },
          },
        ],
      },
    });
    expect(warningsOf(shop)).toEqual([]);
  });

  it.each([
    ['111111111111', []],
    [
      '222222222222',
      [
        /'Regional\/Events' is a topic of account 222222222222, .* sns:Subscribe to account 111111111111: without/,
      ],
    ],
  ])('has to allow it, when it is imported: %s', (account, warnings) => {
    const { shop, orders } = twoAccounts();
    orders.subscribesTo(Topic.fromTopicArn(shop, 'Events', `arn:aws:sns:${region}:${account}:events`));
    expectViolation(shop, '');
    expect(warningsOf(shop)).toEqual(warnings.map((each) => expect.stringMatching(each)));
  });
});

describe('an event bus of another account', () => {
  const busArn = (account: string) => `arn:aws:events:${region}:${account}:event-bus/company`;

  it.each([
    ['111111111111', ''],
    ['222222222222', 'subscribesTo: Regional/Bus is of another account than the endpoint'],
  ])('is refused: %s gives %j', (account, violation) => {
    const { shop, orders } = twoAccounts();
    orders.subscribesTo(EventBus.fromEventBusArn(shop, 'Bus', busArn(account)), { messageTypes: ['A'] });
    expectViolation(shop, violation);
  });

  it('is not known of, while the account of the endpoint is not', () => {
    const stack = regionalStack(undefined);
    const bus = EventBus.fromEventBusArn(stack, 'Bus', busArn('222222222222'));
    inlineEndpoint(stack, 'Orders').subscribesTo(bus, { messageTypes: ['A'] });
    expectViolation(stack, '');
  });
});

describe('sources of another stack that CDK could not refer to', () => {
  it('are refused by the rules, all at once', () => {
    const { shop, platform, orders } = twoAccounts('us-east-1');
    orders.subscribesTo(new Topic(platform, 'Events'));
    orders.subscribesTo(new EventBus(platform, 'Company'), { messageTypes: ['A'] });
    expectViolation(shop, 'subscribesTo: Platform/Events, Platform/Company is in another region');
    expectViolation(shop, 'subscribesTo: Platform/Company is of another account');
  });
});

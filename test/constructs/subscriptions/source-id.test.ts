import { describe, expect, it } from '@jest/globals';
import { type App, NestedStack, Stack, Stage } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { inlineEndpoint, unbundledStack } from '../support.ts';

/** The logical ids of subscriptions and rules of an app of two stacks. */
function logicalIds(scope: Construct, suffix = ''): string[] {
  const platform = new Stack(scope, `Platform${suffix}`, { stackName: 'platform' });
  const shop = new Stack(scope, `Shop${suffix}`, { stackName: 'shop' });
  const orders = inlineEndpoint(shop, 'Orders');
  for (const stack of [shop, platform]) {
    orders.subscribesTo(new Topic(stack, 'Events'));
    const bus = new EventBus(stack, 'Company');
    orders.subscribesTo(bus, { messageTypes: ['A'] });
    orders.subscribesTo(bus, { messageTypes: ['B'] });
  }
  const template = Template.fromStack(shop);
  return ['AWS::SNS::Subscription', 'AWS::Events::Rule'].flatMap((type) =>
    Object.keys(template.findResources(type)),
  );
}

const app = () => unbundledStack().node.root as App;

describe('the logical ids of subscriptions and rules', () => {
  it('come from the path of the source below its stack, and the name of a stack that is another', () => {
    expect(logicalIds(app()).map((id) => id.slice(0, -8))).toEqual([
      'OrdersFromEvents',
      'OrdersFromplatformEvents',
      'OrdersFromCompany',
      'OrdersFromCompany2',
      'OrdersFromplatformCompany',
      'OrdersFromplatformCompany2',
    ]);
  });

  it('stay under a Stage and in a renamed stack', () => {
    expect(logicalIds(new Stage(app(), 'Prod'))).toEqual(logicalIds(app()));
    expect(logicalIds(app(), 'Renamed')).toEqual(logicalIds(app()));
  });

  it('stay when the construct of an imported topic gets another id', () => {
    const idsWith = (importedAs: string, name: string) => {
      const stack = unbundledStack();
      const topicArn = `arn:aws:sns:eu-west-1:111111111111:${name}`;
      inlineEndpoint(stack, 'Orders').subscribesTo(Topic.fromTopicArn(stack, importedAs, topicArn));
      return Object.keys(Template.fromStack(stack).findResources('AWS::SNS::Subscription'));
    };
    expect(idsWith('Renamed', 'events')).toEqual(idsWith('Events', 'events'));
    expect(idsWith('Events', 'others')).not.toEqual(idsWith('Events', 'events'));
  });

  it('tell topics of nested stacks from those of the stack around them', () => {
    const stack = unbundledStack();
    const orders = inlineEndpoint(stack, 'Orders');
    orders.subscribesTo(new Topic(stack, 'Events'));
    orders.subscribesTo(new Topic(new NestedStack(stack, 'Nested'), 'Events'));
    const ids = Object.keys(Template.fromStack(stack).findResources('AWS::SNS::Subscription'));
    expect(ids.map((id) => id.slice(0, -8))).toEqual(['OrdersFromEvents', 'OrdersFromNestedEvents']);
  });
});

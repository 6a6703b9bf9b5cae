import { describe, expect, it } from '@jest/globals';
import { type App, type Environment, Fn, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { EventBus, type EventBusProps } from 'aws-cdk-lib/aws-events';
import { Topic, type TopicProps } from 'aws-cdk-lib/aws-sns';
import type { MessageEndpoint } from 'sagabox/constructs';
import { expectViolation, inlineEndpoint, ordersEndpoint, propertiesOf, unbundledStack } from '../support.ts';

type Subscribe = (orders: MessageEndpoint, stack: Stack, index: number) => unknown;

interface QueuePolicy {
  readonly PolicyDocument: {
    readonly Statement: readonly {
      readonly Effect: string;
      readonly Principal: unknown;
      readonly Condition: Record<string, Record<string, unknown>>;
    }[];
  };
}

describe('the queue policies of an endpoint with many subscriptions', () => {
  // With it, which the CDK recommends, the CDK merges statements that are alike.
  it.each([false, true])(
    'have one statement for SNS and one for EventBridge, with the exact list of their ARNs, also where minimizePolicies is %s',
    (minimizePolicies) => {
      const { stack, orders } = ordersEndpoint({}, { '@aws-cdk/aws-iam:minimizePolicies': minimizePolicies });
      const bus = new EventBus(stack, 'Company');
      for (let index = 0; index < 21; index += 1) {
        orders.subscribesTo(new Topic(stack, `Events${index}`));
        orders.subscribesTo(bus, { messageTypes: [`Type${index}`] });
      }
      const template = Template.fromStack(stack);
      const topics = Object.keys(template.findResources('AWS::SNS::Topic')).map((Ref) => ({ Ref }));
      const ruleIds = Object.keys(template.findResources('AWS::Events::Rule'));
      const rules = ruleIds.map((id) => ({ 'Fn::GetAtt': [id, 'Arn'] }));
      for (const queue of ['OrdersQueue', 'OrdersDeadLetterQueue']) {
        const { PolicyDocument } = propertiesOf(
          stack,
          'AWS::SQS::QueuePolicy',
          `${queue}Policy`,
        ) as unknown as QueuePolicy;
        const allowed = PolicyDocument.Statement.filter(({ Effect }) => Effect === 'Allow');
        expect(allowed).toMatchObject([
          {
            Principal: { Service: 'sns.amazonaws.com' },
            Condition: { ArnEquals: { 'aws:SourceArn': topics } },
          },
          {
            Principal: { Service: 'events.amazonaws.com' },
            Condition: { ArnEquals: { 'aws:SourceArn': rules } },
          },
        ]);
      }
    },
  );

  it('stand before the subscriptions, which would deliver in vain', () => {
    const { stack, orders } = ordersEndpoint();
    orders.subscribesTo(new Topic(stack, 'Events'));
    const [subscription] = Object.values(Template.fromStack(stack).findResources('AWS::SNS::Subscription'));
    expect(subscription?.DependsOn).toEqual([
      expect.stringMatching(/^OrdersDeadLetterQueuePolicy/),
      expect.stringMatching(/^OrdersQueuePolicy/),
    ]);
  });
});

const prefix = 'arn:aws:sns:eu-west-1:111111111111:';
const pattern = `${prefix}shop-*`;

/** Subscribed to topics whose ARNs have these lengths. */
function subscribed(lengths: readonly number[], sourcesByNamePattern?: readonly string[]) {
  const { stack, orders } = ordersEndpoint(
    sourcesByNamePattern === undefined ? {} : { sourcesByNamePattern },
  );
  for (const [index, length] of lengths.entries()) {
    const arn = `${prefix}shop-${index}`.padEnd(length, 'x');
    orders.subscribesTo(Topic.fromTopicArn(stack, `Events${index}`, arn));
  }
  return stack;
}

const conditionOf = (stack: ReturnType<typeof subscribed>) => {
  const policy = propertiesOf(stack, 'AWS::SQS::QueuePolicy', 'OrdersQueuePolicy') as unknown as QueuePolicy;
  return policy.PolicyDocument.Statement.find(({ Effect }) => Effect === 'Allow')?.Condition;
};

/** As JSON, 63 of them have 6,049 bytes. */
const many = new Array<number>(63).fill(93);

describe('a pattern of names', () => {
  it.each([
    [92, ['ArnEquals']],
    [93, ['ArnLike']],
  ])(
    'takes the place of a list of more than 6,144 bytes: one more ARN of %i characters',
    (length, operators) => {
      const condition = conditionOf(subscribed([...many, length], [pattern])) ?? {};
      expect(Object.keys(condition)).toEqual(operators);
      if ('ArnLike' in condition) expect(condition.ArnLike).toEqual({ 'aws:SourceArn': [pattern] });
    },
  );

  it('is never made up: a list that does not fit is refused', () => {
    expect(conditionOf(subscribed([...many, 93]))).toHaveProperty('ArnEquals');
    const most = new Array<number>(84).fill(93);
    expectViolation(
      subscribed(most),
      "queue policy 'Test/Orders/Queue/Policy/Resource': it has 2 statements and 8",
    );
    expectViolation(subscribed(most, [pattern]), '');
  });

  it.each([
    [[`${prefix}shop-*`], ''],
    [[`${prefix}shop-?*x`], ''],
    [
      [`${prefix}shop-1*`, `${prefix}other-*`],
      "sourcesByNamePattern: no pattern matches 'Test/Events0' (shop-0xxx",
    ],
    [[`${prefix}shopx*`], "sourcesByNamePattern: no pattern matches 'Test/Events0' (shop-0xxx"],
  ])('lets all sources send that it takes the place of: %j', (patterns, violation) => {
    expectViolation(subscribed([...many, 93], patterns), violation && `[Test/Orders] ${violation}`);
  });

  describe('is compared with the names of what the app makes', () => {
    const rules = 'arn:aws:events:eu-west-1:111111111111:rule/';
    const place = { account: '111111111111', region: 'eu-west-1' };
    const madeIn = (env: Environment, subscribe: Subscribe, given: string) => {
      const app = unbundledStack().node.root as App;
      const stack = new Stack(app, 'Shop', { env });
      const orders = inlineEndpoint(stack, 'Orders', { sourcesByNamePattern: [given] });
      for (let index = 0; index < 80; index += 1) subscribe(orders, stack, index);
      return stack;
    };
    const topics =
      (props: (index: number) => TopicProps = () => ({})): Subscribe =>
      (orders, stack, index) =>
        orders.subscribesTo(new Topic(stack, `Events${index}`, props(index)));
    const named = topics((index) => ({ topicName: `billing-${index}`.padEnd(80, 'x') }));
    const rulesOf =
      (props?: EventBusProps): Subscribe =>
      (orders, stack, index) => {
        const bus = stack.node.tryFindChild('Bus') ?? (props && new EventBus(stack, 'Bus', props));
        const source =
          (bus as EventBus | undefined) ?? EventBus.fromEventBusName(stack, `D${index}`, 'default');
        orders.subscribesTo(source, { messageTypes: [`Type${index}`] });
      };

    it.each<[string, Subscribe, string, string]>([
      ['named topics', named, `${prefix}billing-*`, ''],
      ['named topics of others', named, `${prefix}shop-*`, "no pattern matches 'Shop/Events0' (billing-0xxx"],
      [
        'named topics of another account',
        named,
        `${prefix.replace('11:', '12:')}billing-*`,
        'no pattern matches',
      ],
      ['generated names', topics(), `${prefix}Shop-*`, ''],
      ['generated names of many stacks', topics(), `${prefix}S*`, ''],
      ['other generated names', topics(), `${prefix}shop-*`, "no pattern matches 'Shop/Events0' (Shop-…), "],
      [
        'some generated names',
        topics(),
        `${prefix}Shop-Events1*`,
        "no pattern matches 'Shop/Events0' (Shop-…), ",
      ],
      [
        'generated names with an end',
        topics(),
        `${prefix}Shop-*x`,
        "no pattern matches 'Shop/Events0' (Shop-…), ",
      ],
      ['rules of the default bus', rulesOf(), `${rules}Shop-*`, ''],
      ['rules of a bus', rulesOf({ eventBusName: 'company' }), `${rules}company/Shop-*`, ''],
      [
        'rules of another bus',
        rulesOf({ eventBusName: 'company' }),
        `${rules}Shop-*`,
        '(rule/company/Shop-…)',
      ],
    ])('%s', (_, subscribe, given, violation) => {
      expectViolation(madeIn(place, subscribe, given), violation);
      expectViolation(madeIn({}, subscribe, given), given.includes('112') ? '' : violation);
    });

    it('except for those that are known only at deployment', () => {
      const imported: Subscribe = (orders, stack, index) =>
        orders.subscribesTo(Topic.fromTopicArn(stack, `Events${index}`, Fn.importValue(`Events${index}`)));
      expectViolation(madeIn(place, imported, `${prefix}shop-*`), '');
    });

    it('also where CloudFormation shortens the name of the stack in that of a rule', () => {
      const shop = 'ShopOfTheWholeCompanyInEurope';
      for (const [given, violation] of [
        [`${rules}${shop}-*`, `(rule/${shop.slice(0, 20)}…)`],
        [`${rules}${shop.slice(0, 20)}*`, ''],
      ] as const) {
        const stack = new Stack(unbundledStack().node.root as App, shop, { env: place });
        const orders = inlineEndpoint(stack, 'Orders', { sourcesByNamePattern: [given] });
        for (let index = 0; index < 80; index += 1) rulesOf()(orders, stack, index);
        expectViolation(stack, violation);
      }
    });
  });

  it('matters only when it takes the place of the list', () => {
    expectViolation(subscribed([93], [`${prefix}other-*`]), '');
  });

  it('of one service leaves the other its list', () => {
    const rules = 'arn:aws:events:eu-west-1:111111111111:rule/shop-*';
    expect(conditionOf(subscribed([...many, 93], [rules]))).toHaveProperty('ArnEquals');
  });

  it.each([
    [pattern, ''],
    ['arn:aws:events:eu-west-1:111111111111:rule/shop-*', ''],
    ['arn:aws:events:eu-west-1:111111111111:rule/company/shop-*', ''],
    [
      `${prefix}*`,
      "sourcesByNamePattern: 'arn:aws:sns:eu-west-1:111111111111:*' is no ARN of topics or rules",
    ],
    ['arn:aws:sns:eu-west-1:*:shop-*', 'sourcesByNamePattern'],
    ['arn:aws:sns:*:111111111111:shop-*', 'sourcesByNamePattern'],
    ['arn:aws:events:eu-west-1:111111111111:rule/*', 'sourcesByNamePattern'],
    ['arn:aws:events:eu-west-1:111111111111:*', 'sourcesByNamePattern'],
    ['arn:aws:s3:eu-west-1:111111111111:shop-*', 'sourcesByNamePattern'],
    ['*', 'sourcesByNamePattern'],
  ])('names one account and the beginning of names: %s', (given, violation) => {
    expectViolation(subscribed([], [given]), violation);
  });
});

import { describe, expect, it } from '@jest/globals';
import { type Environment, Fn, Stack } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { EventBus, type EventBusProps, Rule } from 'aws-cdk-lib/aws-events';
import { Topic, type TopicProps } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct, type IConstruct } from 'constructs';
import {
  AllowedSources,
  PATTERN_BYTES,
  type SourceService,
} from '../../../lib/constructs/subscriptions/allowed-sources.ts';
import {
  expectViolation,
  limitsOf,
  ordersEndpoint,
  propertiesOf,
  unbundledStack,
  violationsOf,
} from '../support.ts';

/** Makes a topic or a rule. */
type Source = (stack: Stack) => [SourceService, IConstruct, arn: string];

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
    expect(limitsOf(subscribed(most))).toContain(
      "queue policy 'Test/Orders/Queue/Policy/Resource': it has 2 statements and 8",
    );
    const byPattern = subscribed(most, [pattern]);
    expect(violationsOf(byPattern) + limitsOf(byPattern)).toBe('');
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

    const topic =
      (props: TopicProps = {}): Source =>
      (stack) => {
        const made = new Topic(stack, 'Source', props);
        return ['sns.amazonaws.com', made, made.topicArn];
      };
    const named = topic({ topicName: 'billing' });
    const rule =
      (props?: EventBusProps): Source =>
      (stack) => {
        const bus = props && { eventBus: new EventBus(stack, 'Bus', props) };
        const made = new Rule(stack, 'Source', { eventPattern: { source: ['shop'] }, ...bus });
        return ['events.amazonaws.com', made, made.ruleArn];
      };

    /** What may not send, of one source, when the pattern takes the place of the list. */
    function leftOut(env: Environment, make: Source, given: string, stackName = 'Shop'): string {
      const stack = new Stack(unbundledStack().node.root, stackName, { env });
      const sources = new AllowedSources(new Queue(stack, 'Queue'), [given]);
      const [service, source, arn] = make(stack);
      sources.allow(service, source, arn);
      const other = service === 'sns.amazonaws.com' ? 'events.amazonaws.com' : 'sns.amazonaws.com';
      sources.allow(other, new Construct(stack, 'Others'), 'x'.repeat(PATTERN_BYTES));
      return sources.leftOut.join();
    }

    it.each<[string, Source, string, string]>([
      ['a named topic', named, `${prefix}billing*`, ''],
      ['a named topic of others', named, `${prefix}shop-*`, "'Shop/Source' (billing)"],
      [
        'a named topic of another account',
        named,
        `${prefix.replace('11:', '12:')}billing*`,
        "'Shop/Source' (billing)",
      ],
      ['a generated name', topic(), `${prefix}Shop-*`, ''],
      ['a generated name of many stacks', topic(), `${prefix}S*`, ''],
      ['another generated name', topic(), `${prefix}shop-*`, "'Shop/Source' (Shop-…)"],
      ['some generated names', topic(), `${prefix}Shop-Source1*`, "'Shop/Source' (Shop-…)"],
      ['a generated name with an end', topic(), `${prefix}Shop-*x`, "'Shop/Source' (Shop-…)"],
      ['a rule of the default bus', rule(), `${rules}Shop-*`, ''],
      ['a rule of a bus', rule({ eventBusName: 'company' }), `${rules}company/Shop-*`, ''],
      [
        'a rule of another bus',
        rule({ eventBusName: 'company' }),
        `${rules}Shop-*`,
        "'Shop/Source' (rule/company/Shop-…)",
      ],
    ])('%s', (_, make, given, expected) => {
      expect(leftOut(place, make, given)).toBe(expected);
      expect(leftOut({}, make, given)).toBe(given.includes('112') ? '' : expected);
    });

    it('except for those that are known only at deployment', () => {
      const imported: Source = (stack) => {
        const made = Topic.fromTopicArn(stack, 'Source', Fn.importValue('Events'));
        return ['sns.amazonaws.com', made, made.topicArn];
      };
      expect(leftOut(place, imported, `${prefix}shop-*`)).toBe('');
    });

    it('also where CloudFormation shortens the name of the stack in that of a rule', () => {
      const shop = 'ShopOfTheWholeCompanyInEurope';
      const start = shop.slice(0, 20);
      expect(leftOut(place, rule(), `${rules}${start}*`, shop)).toBe('');
      expect(leftOut(place, rule(), `${rules}${shop}-*`, shop)).toBe(`'${shop}/Source' (rule/${start}…)`);
    });

    it('with the rule of a subscription, and not with its bus', () => {
      const { stack, orders } = ordersEndpoint({ sourcesByNamePattern: [`${rules}shop-*`] });
      orders.subscribesTo(Topic.fromTopicArn(stack, 'Others', `${prefix}${'x'.repeat(PATTERN_BYTES)}`));
      const bus = EventBus.fromEventBusName(stack, 'Bus', 'default');
      orders.subscribesTo(bus, { messageTypes: ['Placed'] });
      expectViolation(stack, 'sourcesByNamePattern: no pattern matches');
      expectViolation(stack, '(rule/Test-…)');
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

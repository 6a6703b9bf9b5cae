import { describe, expect, it } from '@jest/globals';
import { type App, Duration, NestedStack, Stack, type StackProps, Stage } from 'aws-cdk-lib';
import { Template } from 'aws-cdk-lib/assertions';
import { Dashboard } from 'aws-cdk-lib/aws-cloudwatch';
import { TableEncryption } from 'aws-cdk-lib/aws-dynamodb';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { AccountPrincipal, Role } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import {
  ClaimCheckBucket,
  EndpointMonitoring,
  MessageEndpoint,
  MessageScheduler,
  OutboxRelay,
  OutboxTable,
  SagaTable,
} from 'sagabox/constructs';
import { cells } from '../support/samples.ts';
import { inlineEndpoint, inlineFunction, refusal, unbundledStack, violationsOf } from './support.ts';

const env = { account: '111111111111', region: 'eu-west-1' };

/** By kind: two stacks, and the two places as a violation names them. */
const places: Record<string, { make: () => [Stack, Stack]; here: string; there: string }> = {
  account: {
    make: () => stacksOf({ env }, { env: { ...env, account: '222222222222' } }),
    here: 'account 111111111111, region eu-west-1',
    there: 'account 222222222222, region eu-west-1',
  },
  region: {
    make: () => stacksOf({ env }, { env: { ...env, region: 'us-east-1' } }),
    here: 'eu-west-1',
    there: 'us-east-1',
  },
  'environment that is not known': {
    make: () => stacksOf({ env }, {}),
    here: 'account 111111111111, region eu-west-1',
    there: 'account not known before deployment, region not known before deployment',
  },
  Stage: {
    make: () => stacksOfStages({ env }),
    here: 'account 111111111111, region eu-west-1, Stage Dev',
    there: 'account 111111111111, region eu-west-1, Stage Prod',
  },
  'Stage whose environment is not known': {
    make: () => stacksOfStages({}),
    here: 'region not known before deployment, Stage Dev',
    there: 'region not known before deployment, Stage Prod',
  },
};

const appOf = () => unbundledStack().node.root as App;

function stacksOf(here: StackProps, there: StackProps): [Stack, Stack] {
  const app = appOf();
  return [new Stack(app, 'Here', here), new Stack(app, 'There', there)];
}

function stacksOfStages(props: StackProps): [Stack, Stack] {
  const app = appOf();
  return [new Stack(new Stage(app, 'Dev'), 'Here', props), new Stack(new Stage(app, 'Prod'), 'There', props)];
}

const records = (stack: Stack) => ({ outboxTable: new OutboxTable(stack, 'Records', { relayStream: true }) });
const operator = (stack: Stack) =>
  new Role(stack, 'Operator', { assumedBy: new AccountPrincipal('111111111111') });

/** By setting: what uses in the first stack something of the second. */
const uses: Record<string, (here: Stack, there: Stack) => unknown> = {
  function: (here, there) => inlineEndpoint(here, 'Orders', { function: inlineFunction(there, 'Handler') }),
  queue: (here, there) => {
    const deadLetterQueue = { queue: new Queue(there, 'Dead'), maxReceiveCount: 5 };
    const visibilityTimeout = Duration.minutes(5);
    inlineEndpoint(here, 'Orders', { queue: new Queue(there, 'Q', { deadLetterQueue, visibilityTimeout }) });
  },
  errorQueue: (here, there) => inlineEndpoint(here, 'Orders', { errorQueue: new Queue(there, 'Errors') }),
  scheduler: (here, there) =>
    inlineEndpoint(here, 'Orders', { scheduler: new MessageScheduler(there, 'Scheduler') }),
  claimCheck: (here, there) =>
    inlineEndpoint(here, 'Orders', { claimCheck: new ClaimCheckBucket(there, 'Bodies') }),
  encryptionKey: (here, there) => inlineEndpoint(here, 'Orders', { encryptionKey: new Key(there, 'Key') }),
  'encryptionKey of a table': (here, there) =>
    new SagaTable(here, 'Sagas', { encryptionKey: new Key(there, 'Key') }),
  'encryptionKey of a bucket': (here, there) =>
    new ClaimCheckBucket(here, 'Bodies', { encryptionKey: new Key(there, 'Key') }),
  'encryptionKey of a scheduler': (here, there) =>
    new MessageScheduler(here, 'Scheduler', { encryptionKey: new Key(there, 'Key') }),
  'scheduleKey of a scheduler': (here, there) =>
    new MessageScheduler(here, 'Scheduler', { scheduleKey: new Key(there, 'Key') }),
  sagaTable: (here, there) => inlineEndpoint(here, 'Orders', { sagaTable: new SagaTable(there, 'Sagas') }),
  outboxTable: (here, there) =>
    new OutboxRelay(here, 'Relay', { endpoints: [inlineEndpoint(here, 'Orders', records(there))] }),
  sendsTo: (here, there) => inlineEndpoint(here, 'Orders').sendsTo(inlineEndpoint(there, 'Billing')),
  publishesTo: (here, there) => inlineEndpoint(here, 'Orders').publishesTo(new Topic(there, 'Events')),
  subscribesTo: (here, there) => inlineEndpoint(here, 'Orders').subscribesTo(new Topic(there, 'Events')),
  'subscribesTo of a bus': (here, there) =>
    inlineEndpoint(here, 'Orders').subscribesTo(new EventBus(there, 'Bus'), { fromEndpoints: ['billing'] }),
  endpoints: (here, there) =>
    new OutboxRelay(here, 'Relay', { endpoints: [inlineEndpoint(there, 'Orders', records(there))] }),
  endpoint: (here, there) =>
    new EndpointMonitoring(here, 'Monitoring', { endpoint: inlineEndpoint(there, 'Orders', records(there)) }),
  relay: (here, there) => {
    const endpoint = inlineEndpoint(here, 'Orders', records(here));
    const relay = new OutboxRelay(there, 'Relay', { endpoints: [endpoint] });
    new EndpointMonitoring(here, 'Monitoring', { endpoint, relay });
  },
  topic: (here, there) =>
    new EndpointMonitoring(here, 'Monitoring', {
      endpoint: inlineEndpoint(here, 'Orders'),
      topic: new Topic(there, 'Pager'),
    }),
  dashboard: (here, there) =>
    new EndpointMonitoring(here, 'Monitoring', {
      endpoint: inlineEndpoint(here, 'Orders'),
      dashboard: new Dashboard(there, 'Dashboard'),
    }),
  grantOperate: (here, there) => inlineEndpoint(here, 'Orders', records(here)).grantOperate(operator(there)),
  grantDispatch: (here, there) => inlineEndpoint(here, 'Orders').grantDispatch(operator(there)),
  grantSendMessages: (here, there) => inlineEndpoint(here, 'Orders').grantSendMessages(operator(there)),
  grantSchedule: (here, there) => new MessageScheduler(here, 'Scheduler').grantSchedule(operator(there)),
  grantSagaAccess: (here, there) => new SagaTable(here, 'Sagas').grantSagaAccess(operator(there)),
  grantOutboxAccess: (here, there) => new OutboxTable(here, 'Records').grantOutboxAccess(operator(there)),
};

/** Rules of their own tell of these, without the place of the endpoint. */
const withOneEnd: Record<string, RegExp> = {
  region: /^(?:errorQueue|claimCheck|sendsTo|publishesTo|subscribesTo)/,
  account: /^subscribesTo of a bus/,
};
/** The two stacks would depend on each other. */
const ofOneStack = ['function', 'relay'];

/** Every use in one kind, and in every kind one of a table, a queue, a key and a grant. */
const isPicked =
  (kind: string) =>
  ([name]: readonly [string, unknown]) =>
    kind === 'account' || ['sagaTable', 'sendsTo', 'encryptionKey', 'grantOperate'].includes(name);

describe.each(Object.entries(places))('what stands in another %s', (kind, { make, here, there }) => {
  it.each(cells(Object.entries(uses), isPicked(kind)))(
    'is refused at synth with both places: %s',
    (name, use) => {
      const [own, other] = make();
      use(own, other);
      const found = violationsOf(own);
      const [setting = ''] = name.split(' of ');
      expect(found).toMatch(new RegExp(`^  \\[.*\\] (?:\\w+, )*${setting}\\b`, 'm'));
      expect(found).not.toMatch(/cross-environment|cannot reference|dependency/);
      if (withOneEnd[kind]?.test(name)) return;
      expect(found).toContain(here);
      expect(found).toContain(there);
    },
  );
});

const usable = Object.entries(uses).filter(([name]) => !ofOneStack.includes(name));
it.each(usable)('what stands in another stack of the same place is used: %s', (_name, use) => {
  for (const own of cells([{ env }, {}], (each) => 'env' in each)) {
    const [here, there] = stacksOf(own, own);
    use(here, there);
    expect(violationsOf(here)).toBe('');
  }
});

it('a function of another stack is refused when the endpoint makes queues of its own', () => {
  const [here, there] = stacksOf({ env }, { env });
  inlineEndpoint(here, 'Orders', { function: inlineFunction(there, 'Handler') });
  expect(violationsOf(here)).toContain(
    "[Here/Orders] function: 'There/Handler' is of the stack 'There', and the endpoint makes its queues in 'Here'",
  );
  const [own, other] = stacksOf({ env }, { env });
  const deadLetterQueue = { queue: new Queue(other, 'Dead'), maxReceiveCount: 5 };
  const queue = new Queue(other, 'Q', { deadLetterQueue, visibilityTimeout: Duration.minutes(5) });
  inlineEndpoint(own, 'Orders', { function: inlineFunction(other, 'Handler'), queue, errorQueue: false });
  expect(violationsOf(own)).toBe('');
});

it('a function of the parent of a nested stack is refused too, and one of a nested stack of its own is not', () => {
  const [parent] = stacksOf({ env }, { env });
  const nested = new NestedStack(parent, 'Nested');
  inlineEndpoint(parent, 'Billing', { function: inlineFunction(nested, 'Handler') });
  expect(violationsOf(parent)).toBe('');
  const [above] = stacksOf({ env }, { env });
  const below = new NestedStack(above, 'Nested');
  inlineEndpoint(below, 'Orders', { function: inlineFunction(above, 'Handler') });
  expect(violationsOf(above)).toContain("function: 'Here/Handler' is of the stack 'Here'");
});

it('names of another account suffice to send, to keep records, and to grant', () => {
  const [here, there] = stacksOf({ env }, { env: { ...env, account: '222222222222' } });
  const billing = inlineEndpoint(there, 'Billing', { queueName: 'billing' });
  const outboxTable = new OutboxTable(there, 'Records', {
    tableName: 'records',
    encryption: TableEncryption.DEFAULT,
  });
  const orders = inlineEndpoint(here, 'Orders', { outboxTable });
  orders.sendsTo(billing);
  orders.subscribesTo(new Topic(there, 'Events', { topicName: 'events' }));
  billing.grantSendMessages(new AccountPrincipal(env.account));
  new EndpointMonitoring(here, 'Monitoring', { endpoint: orders });
  expect(violationsOf(here)).toBe('');
});

it('a role of another region is granted to as the remedy says: imported, by a policy of the stack', () => {
  const [here, there] = stacksOf({ env }, { env: { ...env, region: 'us-east-1' } });
  const role = new Role(there, 'Operator', {
    assumedBy: new AccountPrincipal(env.account),
    roleName: 'operator',
  });
  const refused = inlineEndpoint(here, 'Billing', records(here));
  expect(refused.grantOperate(role).success).toBe(false);
  expect(violationsOf(here)).toContain('or import a role of another region by Role.fromRoleArn');
  const [own] = stacksOf({ env }, {});
  const imported = Role.fromRoleArn(own, 'Operator', `arn:aws:iam::${env.account}:role/operator`);
  const orders = inlineEndpoint(own, 'Orders', records(own));
  orders.grantOperate(imported);
  orders.grantDispatch(imported);
  expect(violationsOf(own)).toBe('');
  Template.fromStack(own).hasResourceProperties('AWS::IAM::Policy', { Roles: ['operator'] });
});

describe('a construct in no stack', () => {
  it.each<[string, (app: App) => unknown]>([
    ['an endpoint', (app) => new MessageEndpoint(app, 'Orders', { entry: 'lambdas/orders.ts' })],
    [
      'an imported endpoint',
      (app) =>
        MessageEndpoint.fromMessageEndpointAttributes(app, 'Orders', {
          endpointName: 'orders',
          queueArn: 'arn:aws:sqs:eu-west-1:111111111111:orders',
        }),
    ],
    ['a relay', (app) => new OutboxRelay(app, 'Orders', { endpoints: [] })],
    ['a scheduler', (app) => new MessageScheduler(app, 'Orders')],
    [
      'monitoring',
      (app) =>
        new EndpointMonitoring(app, 'Orders', { endpoint: inlineEndpoint(new Stack(app, 'Shop'), 'Any') }),
    ],
  ])('is refused, and the synth says nothing else: %s', (_, make) => {
    const app = appOf();
    const { code, message } = refusal(() => make(app));
    expect(code).toBe('Configuration');
    expect(message).toContain("scope of 'Orders': it is in no Stack. Give a Stack, or a construct in one");
    expect(() => app.synth()).not.toThrow();
  });
});

/**
 * "Two stacks with the key in the data stack and a topic subscription in the app stack synthesize; so do
 * endpoints of two stacks, and of two accounts, that send to each other."
 */
import { createRequire } from 'node:module';
import { describe, expect, it } from '@jest/globals';
import { App, type Environment, Stack } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { AccountPrincipal } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { MessageEndpoint, type MessageEndpointProps, MessageScheduler, SagaTable } from 'sagabox/constructs';
import { cells } from '../../support/samples.ts';
import { inlineEndpoint, propertiesOf, variablesOf, violationsOf } from '../support.ts';

const featureFlags: Record<string, unknown> = createRequire(import.meta.url)(
  'aws-cdk-lib/recommended-feature-flags.json',
);

const region = 'eu-west-1';
const own: Environment = { account: '111111111111', region };
const other: Environment = { account: '222222222222', region };

const flags: [string, Record<string, unknown>][] = [
  ['without feature flags', {}],
  ['with the recommended feature flags', featureFlags],
];
const kinds: [string, boolean][] = [
  ['standard', false],
  ['FIFO', true],
];
/** Flags and kinds of queues see nothing of each other: in `npm test`, each of them once. */
const variants = cells(
  flags.flatMap(([which, context]) => kinds.map(([kind, fifo]) => [kind, which, { context, fifo }] as const)),
  ([kind, which]) => (kind === 'FIFO') === which.startsWith('with '),
);

function stacks(context: Record<string, unknown>, env: Environment = {}, otherEnv: Environment = env) {
  const app = new App({ context });
  return [new Stack(app, 'First', { env }), new Stack(app, 'Second', { env: otherEnv })] as const;
}

const destinationsOf = (stack: Stack, functionId: string) =>
  JSON.stringify(variablesOf(stack, functionId).SAGABOX_DESTINATIONS);

describe.each(variants)('%s endpoints %s', (_kind, _which, { context, fifo }) => {
  const suffix = fifo ? '.fifo' : '';

  it.each([
    ['of no account', {}],
    ['of one account', own],
  ])('subscribe in the app stack with the key of the data stack, %s', (_, env) => {
    const [data, shop] = stacks(context, env);
    const encryptionKey = new Key(data, 'Key');
    const sagaTable = new SagaTable(data, 'Sagas', { encryptionKey });
    const props = { fifo, encryptionKey, sagaTable } as Partial<MessageEndpointProps>;
    const orders = inlineEndpoint(shop, 'Orders', props);
    orders.subscribesTo(new Topic(shop, 'Events', { fifo }));
    orders.subscribesTo(new EventBus(shop, 'Company'), {
      messageTypes: ['OrderPlaced'],
      ...(fifo ? { messageGroupId: 'events' } : {}),
    });
    expect(violationsOf(shop)).toBe('');
    expect([shop.dependencies, data.dependencies]).toEqual([[data], []]);
    const { KeyPolicy } = propertiesOf(data, 'AWS::KMS::Key');
    for (const service of ['sns', 'events']) {
      expect(JSON.stringify(KeyPolicy)).toContain(`${service}.amazonaws.com`);
    }
  });

  it.each([
    ['of no account', {}, {}],
    ['of one account', own, own],
    ['of two accounts', own, other],
  ])('send to each other across two stacks, %s', (_, env, otherEnv) => {
    const [first, second] = stacks(context, env, otherEnv);
    const orders = inlineEndpoint(first, 'Orders', { fifo, queueName: 'orders' });
    const billing = inlineEndpoint(second, 'Billing', { fifo, queueName: 'billing' });
    orders.sendsTo(billing);
    billing.sendsTo(orders);
    expect(violationsOf(first)).toBe('');
    expect([first.dependencies, second.dependencies]).toEqual([[], []]);
    expect(destinationsOf(first, 'OrdersOwn')).toContain(`billing${suffix}`);
    expect(destinationsOf(second, 'BillingOwn')).toContain(`orders${suffix}`);
  });

  it('send to each other as endpoints that are declared elsewhere, of two accounts and with keys', () => {
    const [first, second] = stacks(context, own, other);
    const made = [first, second].map((stack, index) => {
      const [name, otherName] = index === 0 ? ['orders', 'billing'] : ['billing', 'orders'];
      const { account } = index === 0 ? other : own;
      const endpoint = inlineEndpoint(stack, name, {
        fifo,
        queueName: name,
        encryptionKey: new Key(stack, 'Key'),
      } as Partial<MessageEndpointProps>);
      endpoint.grantSendMessages(new AccountPrincipal(account));
      endpoint.sendsTo(
        MessageEndpoint.fromMessageEndpointAttributes(stack, otherName, {
          endpointName: otherName,
          queueArn: `arn:aws:sqs:${region}:${account}:${otherName}${suffix}`,
          encryptionKey: Key.fromKeyArn(stack, 'OtherKey', `arn:aws:kms:${region}:${account}:key/1`),
        }),
      );
      return endpoint;
    });
    expect(made).toHaveLength(2);
    expect(violationsOf(first)).toBe('');
    expect(destinationsOf(first, 'orders')).toContain(`222222222222/billing${suffix}`);
    const queuePolicy = propertiesOf(second, 'AWS::SQS::QueuePolicy', 'billingQueue');
    expect(JSON.stringify(queuePolicy)).toContain('111111111111:root');
    const { KeyPolicy } = propertiesOf(second, 'AWS::KMS::Key');
    expect(JSON.stringify(KeyPolicy)).toContain('111111111111:root');
  });

  it.each([
    [
      'their queues have no names',
      {},
      (first: Stack, second: Stack) => [
        inlineEndpoint(first, 'Orders', { fifo }),
        inlineEndpoint(second, 'Billing', { fifo }),
      ],
      [
        "[First/Orders] sendsTo: 'First/Orders' refers to 'Second/Billing/Queue', and the stacks 'First' and 'Second' would",
        "[Second/Billing] sendsTo: 'Second/Billing' refers to 'First/Orders/Queue', and the stacks 'Second' and 'First' would",
        'Give its endpoint a queueName',
      ],
    ],
    [
      'they have keys of their own',
      {},
      (first: Stack, second: Stack) => [
        inlineEndpoint(first, 'Orders', withKey(first, 'orders', fifo)),
        inlineEndpoint(second, 'Billing', withKey(second, 'billing', fifo)),
      ],
      [
        "[First/Orders] sendsTo: 'First/Orders' refers to 'Second/Key', and the stacks 'First' and 'Second' would",
        "[Second/Billing] sendsTo: 'Second/Billing' refers to 'First/Key', and the stacks 'Second' and 'First' would",
        'Declare the key in a stack of its own',
      ],
    ],
    [
      'one of them belongs to another account, and has no name',
      other,
      (first: Stack, second: Stack) => [
        inlineEndpoint(first, 'Orders', { fifo, queueName: 'orders' }),
        inlineEndpoint(second, 'Billing', { fifo }),
      ],
      [
        "[First/Orders] sendsTo: 'Second/Billing/Queue' is in account 222222222222",
        'Give its endpoint a queueName',
      ],
    ],
  ])('get an error with the remedy when %s', (_, otherEnv: Environment, make, problems) => {
    const [first, second] = stacks(context, otherEnv === other ? own : {}, otherEnv);
    const [orders, billing] = make(first, second) as [MessageEndpoint, MessageEndpoint];
    orders.sendsTo(billing);
    billing.sendsTo(orders);
    const found = violationsOf(first);
    for (const problem of problems) expect(found).toContain(problem);
  });

  it('send to each other with keys in a stack of their own, and by a scheduler of one of them', () => {
    const [first, second] = stacks(context);
    const keys = new Stack(first.node.root as App, 'Keys');
    const scheduler = new MessageScheduler(first, 'Scheduler');
    const [orders, billing] = [first, second].map((stack, index) =>
      inlineEndpoint(stack, `Endpoint${index}`, {
        scheduler,
        fifo,
        queueName: `queue-${index}`,
        encryptionKey: new Key(keys, `Key${index}`),
      } as Partial<MessageEndpointProps>),
    ) as [MessageEndpoint, MessageEndpoint];
    orders.sendsTo(billing);
    billing.sendsTo(orders);
    expect(violationsOf(first)).toBe('');
    expect(first.dependencies).toEqual([keys]);
    expect(new Set(second.dependencies)).toEqual(new Set([keys, first]));
  });
});

function withKey(stack: Stack, queueName: string, fifo: boolean): Partial<MessageEndpointProps> {
  return { fifo, queueName, encryptionKey: new Key(stack, 'Key') } as Partial<MessageEndpointProps>;
}

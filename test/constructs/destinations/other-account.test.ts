import { describe, expect, it } from '@jest/globals';
import { App, type Environment, Stack, Stage } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { inlineEndpoint, violationsOf } from '../support.ts';

const region = 'eu-west-1';
const own = { account: '111111111111', region };
const other = { account: '222222222222', region };

/** A stack that sends and one that receives. */
function twoStacks(sending: Environment, receiving: Environment) {
  const app = new App();
  const [sender, receiver] = [
    new Stack(app, 'Sender', { env: sending }),
    new Stack(app, 'Receiver', { env: receiving }),
  ];
  return { sender, receiver };
}

const importedKey = (scope: Stack, account: string, id = 'Key') =>
  Key.fromKeyArn(scope, id, `arn:aws:kms:${region}:${account}:key/12345678-1234-1234-1234-123456789012`);

const warningsOf = (stack: Stack, start: string) =>
  Annotations.fromStack(stack)
    .findWarning('*', Match.stringLikeRegexp(`^${start}`))
    .map(({ entry }) => entry.data);

describe('the imported key of what an endpoint sends to', () => {
  it.each([
    [
      other,
      [/'Receiver\/Key' is imported, .* allow account 111111111111 kms:Decrypt and kms:GenerateDataKey/],
    ],
    [own, []],
  ])('has to allow another account: %j', (env, warnings) => {
    const { sender, receiver } = twoStacks(own, env);
    const encryptionKey = importedKey(receiver, env.account);
    const orders = inlineEndpoint(sender, 'Orders', { queueName: 'orders' });
    orders.sendsTo(inlineEndpoint(receiver, 'Billing', { queueName: 'billing', encryptionKey }));
    expect(violationsOf(sender)).toBe('');
    const expected = warnings.map((each) => expect.stringMatching(each));
    expect(warningsOf(receiver, 'encryptionKey')).toEqual(expected);
  });

  it('has to allow each of the two accounts whose endpoints send to each other', () => {
    const { sender, receiver } = twoStacks(own, other);
    const [orders, billing] = [sender, receiver].map((stack) =>
      inlineEndpoint(stack, 'Desk', {
        queueName: 'desk',
        endpointName: stack.node.id,
        encryptionKey: importedKey(stack, stack.account),
      }),
    );
    orders?.sendsTo(billing as never);
    billing?.sendsTo(orders as never);
    expect(warningsOf(sender, 'encryptionKey')).toEqual([
      expect.stringContaining('Let it allow account 222222222222'),
    ]);
    expect(warningsOf(receiver, 'encryptionKey')).toEqual([
      expect.stringContaining('Let it allow account 111111111111'),
    ]);
  });

  it('is that of a topic too', () => {
    const { sender, receiver } = twoStacks(own, other);
    const masterKey = importedKey(receiver, other.account);
    inlineEndpoint(sender, 'Orders').publishesTo(
      new Topic(receiver, 'Events', { topicName: 'e', masterKey }),
    );
    expect(warningsOf(receiver, 'encryptionKey')).toHaveLength(1);
  });
});

describe('an account that is known only at deployment', () => {
  const unknown = { region };
  it.each<[Environment, Environment, number]>([
    [unknown, other, 1],
    [own, unknown, 1],
    [unknown, unknown, 0],
    [own, other, 0],
    [own, own, 0],
  ])('cannot be allowed to send, nor be told from another one: %j to %j', (sending, receiving, count) => {
    const { sender, receiver } = twoStacks(sending, receiving);
    const orders = inlineEndpoint(sender, 'Orders', {
      errorQueue: new Queue(receiver, 'Errors', { queueName: 'errors' }),
    });
    orders.sendsTo(inlineEndpoint(receiver, 'Billing', { queueName: 'billing' }));
    orders.publishesTo(new Topic(receiver, 'Events', { topicName: 'events' }));
    expect(violationsOf(sender)).toBe('');
    const expected = ['Billing/Queue', 'Errors', 'Events'].map((target) =>
      expect.stringMatching(
        `'Receiver/${target}' is in account .*so that the policy of 'Receiver/${target}' does not name the account`,
      ),
    );
    const found = warningsOf(sender, "'Receiver/").map(String);
    expect(found.toSorted()).toEqual(count === 0 ? [] : expected);
  });

  it('may send to what is imported', () => {
    const { sender } = twoStacks(unknown, other);
    const queue = Queue.fromQueueArn(sender, 'Billing', `arn:aws:sqs:${region}:${other.account}:billing`);
    inlineEndpoint(sender, 'Orders').sendsTo({ name: 'billing', queue });
    expect(violationsOf(sender)).toBe('');
    expect(warningsOf(sender, "'Sender/")).toEqual([]);
  });
});

describe('the topic of another account that an endpoint subscribes to', () => {
  const topicOf = (stack: Stack) => new Topic(stack, 'Events', { topicName: 'events' });
  const dependencies = (...stacks: Stack[]) =>
    stacks.map((stack) => stack.dependencies.map(({ node }) => node.path));

  it('is deployed first, with the policy that allows it', () => {
    const { sender, receiver } = twoStacks(own, other);
    inlineEndpoint(receiver, 'Billing').subscribesTo(topicOf(sender));
    expect(violationsOf(sender)).toBe('');
    expect(dependencies(sender, receiver)).toEqual([[], ['Sender']]);
  });

  it('is not waited for if its stack depends on that of the endpoint', () => {
    const { sender, receiver } = twoStacks(own, other);
    sender.addStackDependency(receiver);
    inlineEndpoint(receiver, 'Billing').subscribesTo(topicOf(sender));
    expect(violationsOf(sender)).toBe('');
    expect(dependencies(sender, receiver)).toEqual([['Receiver'], []]);
  });

  it('is not waited for if each of the stacks subscribes to a topic of the other one', () => {
    const { sender, receiver } = twoStacks(own, other);
    const [there, here] = [topicOf(sender), topicOf(receiver)];
    inlineEndpoint(receiver, 'Billing').subscribesTo(there);
    inlineEndpoint(sender, 'Orders').subscribesTo(here);
    expect(violationsOf(sender)).toBe('');
    expect(dependencies(sender, receiver)).toEqual([[], []]);
  });

  it('is not waited for if a third stack leads back, by what it refers to', () => {
    const { sender, receiver } = twoStacks(own, other);
    const bridge = new Stack(sender.node.root as App, 'Bridge', { env: own });
    // The sender refers to a queue of the bridge, which subscribes to a topic of the receiver.
    inlineEndpoint(bridge, 'Bridge').subscribesTo(topicOf(receiver));
    inlineEndpoint(sender, 'Orders', { errorQueue: new Queue(bridge, 'Errors') });
    inlineEndpoint(receiver, 'Billing').subscribesTo(topicOf(sender));
    expect(violationsOf(sender)).toBe('');
    expect(dependencies(sender, bridge, receiver)).toEqual([['Bridge'], [], []]);
  });

  it('is not waited for in another Stage', () => {
    const app = new App();
    const [dev, prod] = [own, other].map(
      (env, index) => new Stack(new Stage(app, `Stage${index}`), 'Shop', { env }),
    ) as [Stack, Stack];
    inlineEndpoint(prod, 'Billing').subscribesTo(topicOf(dev));
    expect(() => app.synth()).not.toThrow();
    expect(dependencies(dev, prod)).toEqual([[], []]);
  });
});

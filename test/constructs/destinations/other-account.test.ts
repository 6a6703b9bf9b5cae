import { describe, expect, it } from '@jest/globals';
import { App, type Environment, Stack } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Topic } from 'aws-cdk-lib/aws-sns';
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

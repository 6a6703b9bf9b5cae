import { describe, expect, it } from '@jest/globals';
import { App, Duration, Stack } from 'aws-cdk-lib';
import { AccountPrincipal } from 'aws-cdk-lib/aws-iam';
import { type CfnTopic, Topic } from 'aws-cdk-lib/aws-sns';
import { type CfnQueue, Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { inlineEndpoint, violationsOf } from '../support.ts';

const region = 'eu-west-1';
const closed =
  /encryption: '\S+' has a key of AWS, whose policy lets no other account use it, so that account 1{12} sends/;

function stacks() {
  const app = new App();
  const sender = new Stack(app, 'Sender', { env: { account: '111111111111', region } });
  return { sender, receiver: new Stack(app, 'Receiver', { env: { account: '222222222222', region } }) };
}

const billingWith = (receiver: Stack, props: QueueProps) =>
  inlineEndpoint(receiver, 'Billing', {
    queue: new Queue(receiver, 'Given', {
      queueName: 'billing',
      visibilityTimeout: Duration.minutes(3),
      deadLetterQueue: { queue: new Queue(receiver, 'Dead'), maxReceiveCount: 5 },
      ...props,
    }),
  });

describe('a key of AWS', () => {
  const toBilling = (props: QueueProps) => {
    const { sender, receiver } = stacks();
    const billing = billingWith(receiver, props);
    inlineEndpoint(sender, 'Orders').sendsTo(billing);
    return { sender, billing };
  };

  it('lets no endpoint of another account send', () => {
    const { sender } = toBilling({ encryption: QueueEncryption.KMS_MANAGED });
    expect(violationsOf(sender)).toMatch(closed);
  });

  it.each([true, false])('is told of an override, too: %s', (isOverridden) => {
    const { sender, billing } = toBilling({ encryption: QueueEncryption.SQS_MANAGED });
    const resource = billing.queue.node.defaultChild as CfnQueue;
    if (isOverridden) resource.addPropertyOverride('KmsMasterKeyId', 'alias/aws/sqs');
    if (isOverridden) expect(violationsOf(sender)).toMatch(closed);
    else expect(violationsOf(sender)).toBe('');
  });

  it.each([
    ['111111111111', true],
    ['222222222222', false],
  ])('lets no other account send that is granted to: %s, %s', (account, isClosed) => {
    const { receiver } = stacks();
    const billing = billingWith(receiver, { encryption: QueueEncryption.KMS_MANAGED });
    billing.grantSendMessages(new AccountPrincipal(account));
    if (isClosed) expect(violationsOf(receiver)).toMatch(closed);
    else expect(violationsOf(receiver)).toBe('');
  });

  it('lets no error be sent from another account', () => {
    const { sender, receiver } = stacks();
    const errorQueue = new Queue(receiver, 'Errors', {
      queueName: 'errors',
      retentionPeriod: Duration.days(7),
      encryption: QueueEncryption.KMS_MANAGED,
    });
    inlineEndpoint(sender, 'Orders', { errorQueue });
    expect(violationsOf(sender)).toMatch(closed);
  });

  it.each([true, false])('of a topic lets no other account publish: %s', (isManaged) => {
    const { sender, receiver } = stacks();
    const topic = new Topic(receiver, 'Events', { topicName: 'events' });
    inlineEndpoint(sender, 'Orders').publishesTo(topic);
    if (isManaged) (topic.node.defaultChild as CfnTopic).kmsMasterKeyId = 'alias/aws/sns';
    if (isManaged) expect(violationsOf(sender)).toMatch(/Give the topic a masterKey of yours, or none\./);
    else expect(violationsOf(sender)).toBe('');
  });
});

import { describe, expect, it } from '@jest/globals';
import type { App } from 'aws-cdk-lib';
import { EventBus } from 'aws-cdk-lib/aws-events';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { Queue } from 'aws-cdk-lib/aws-sqs';
import { ClaimCheckBucket, type MessageEndpoint, OutboxTable } from 'sagabox/constructs';
import { claimCheckOf, schedulerOf, sendingOf } from '../../../lib/compose/sending-settings.ts';
import { readCloudAssembly } from '../../../lib/local/app/cloud-assembly.ts';
import { modelResources } from '../../../lib/local/app/resources/model.ts';
import { maxMessageSizeOf } from '../../../lib/messages/destinations/destination.ts';
import { expectViolation, inlineEndpoint, ordersEndpoint } from '../support.ts';

/**
 * What the runtime makes of what the constructs write: the references in the template stand for local names.
 */
describe('what the constructs tell of sending is what the runtime reads', () => {
  it('of all ways out', async () => {
    const environment = await environmentOf(true);
    const sending = sendingOf({}, environment);
    const { destinations, publishTo, schedules, claimCheckThresholdBytes, claimCheckRetentionSeconds } =
      sending;
    expect([...destinations.values()]).toEqual([
      {
        kind: 'queue',
        name: 'orders',
        queueUrl: expect.stringMatching(/^https:.*Queue/),
        fifo: false,
        maxMessageSizeBytes: 1_048_576,
      },
      { kind: 'queue', name: 'mail', queueUrl: expect.stringMatching(/^https:.*\.fifo$/), fifo: true },
      { kind: 'topic', name: 'events', topicArn: expect.stringMatching(/^arn:aws:sns:/), fifo: false },
      {
        kind: 'topic',
        name: 'ordered',
        topicArn: expect.stringMatching(/^arn:aws:sns:.*\.fifo$/),
        fifo: true,
      },
      {
        kind: 'eventBus',
        name: 'company',
        eventBusArn: expect.stringMatching(/^arn:aws:events:.*:event-bus\//),
      },
    ]);
    expect(publishTo).toEqual({ '*': 'events', OrderShipped: 'company' });
    expect(schedules).toBe(true);
    expect(claimCheckThresholdBytes).toBe(65_536);
    expect(claimCheckRetentionSeconds).toBe(21 * 86_400);
    expect(schedulerOf({}, environment)).toEqual({
      groupName: expect.stringContaining('Group'),
      roleArn: expect.stringMatching(/^arn:aws:iam::.*:role\//),
      deadLetterArn: expect.stringMatching(/^arn:aws:sqs:.*DeadLetterQueue/),
    });
    expect(claimCheckOf({}, environment)).toEqual({
      bucketName: expect.stringMatching(/bodies/i),
      thresholdBytes: 65_536,
      retentionSeconds: 1_814_400,
    });
  });

  it('of none', async () => {
    const environment = await environmentOf(false);
    const { destinations, publishTo, schedules, claimCheckThresholdBytes } = sendingOf({}, environment);
    expect([...destinations.keys()]).toEqual(['orders']);
    expect(publishTo).toEqual({});
    expect(schedules).toBe(false);
    expect(claimCheckThresholdBytes).toBeUndefined();
  });
});

describe('the largest message of a destination', () => {
  const sizesOf = (addDestinations: (orders: MessageEndpoint) => void) => {
    const { stack, orders } = ordersEndpoint();
    addDestinations(orders);
    const environment = stack.resolve(orders.handlerEnvironment.SAGABOX_DESTINATIONS);
    const [, parts] = environment['Fn::Join'] as [string, unknown[]];
    const json = parts.map((part) => (typeof part === 'string' ? part : 'a')).join('');
    const destinations = sendingOf(
      {},
      { SAGABOX_DESTINATIONS: json, SAGABOX_ACCOUNT_ID: '1', AWS_REGION: 'r' },
    ).destinations;
    return Object.fromEntries([...destinations.values()].map((each) => [each.name, maxMessageSizeOf(each)]));
  };
  const imported = (orders: MessageEndpoint) =>
    Queue.fromQueueArn(orders, 'Imported', 'arn:aws:sqs:eu-west-1:123456789012:imported');

  it('is 1 MiB for an endpoint, what a queue of the app says, and 256 KiB for any other queue', () => {
    const sizes = sizesOf((orders) => {
      const { stack } = orders.queue;
      orders.sendsTo(
        inlineEndpoint(stack, 'Billing'),
        { name: 'said', queue: new Queue(stack, 'Said', { maxMessageSizeBytes: 100_000 }) },
        { name: 'unsaid', queue: new Queue(stack, 'Unsaid') },
        { name: 'imported', queue: imported(orders) },
      );
    });
    expect(sizes).toEqual({
      orders: 1_048_576,
      billing: 1_048_576,
      said: 100_000,
      unsaid: 262_144,
      imported: 262_144,
    });
  });

  it.each([
    [1_023, 'refused'],
    [1_024, 'taken'],
    [1_048_576, 'taken'],
    [1_048_577, 'refused'],
    [2_000.5, 'refused'],
  ])('of %s bytes, given for an imported one, is %s', (maxMessageSizeBytes, result) => {
    const isAccepted = result === 'taken';
    const { stack, orders } = ordersEndpoint();
    const destination = { name: 'imported', queue: imported(orders), maxMessageSizeBytes };
    const sizes = sizesOf((others) => others.sendsTo({ ...destination, queue: imported(others) }));
    expect(sizes).toMatchObject({ imported: isAccepted ? maxMessageSizeBytes : 262_144 });
    orders.sendsTo(destination);
    const report = `[Test/Orders] sendsTo: maxMessageSizeBytes of 'imported': ${maxMessageSizeBytes} is out of range`;
    expectViolation(stack, isAccepted ? '' : report);
  });
});

async function environmentOf(hasAll: boolean): Promise<Record<string, string>> {
  const { stack, orders } = ordersEndpoint((scope) => ({
    scheduler: hasAll,
    ...(hasAll ? { claimCheck: new ClaimCheckBucket(scope, 'Bodies') } : {}),
    outboxTable: new OutboxTable(scope, 'Outbox', { relayStream: hasAll }),
  }));
  if (hasAll) {
    orders.sendsTo({ name: 'mail', queue: new Queue(stack, 'Mail', { fifo: true }) });
    orders.publishesTo(new Topic(stack, 'Events'));
    orders.sendsTo({ name: 'ordered', topic: new Topic(stack, 'Ordered', { fifo: true }) });
    orders.publishesTo(new EventBus(stack, 'Company'), { messageTypes: ['OrderShipped'] });
  }
  const { directory } = (stack.node.root as App).synth();
  const { resources } = modelResources(await readCloudAssembly(directory), 'http://localhost:9324');
  const [own] = resources.filter(({ type }) => type === 'AWS::Lambda::Function');
  if (own === undefined) throw new Error('The template has no function');
  const { Variables } = own.properties.Environment as { Variables: Record<string, string> };
  return { ...Variables, AWS_REGION: 'us-east-1' };
}

import { Annotations, Resource, Stack } from 'aws-cdk-lib';
import { AccountPrincipal, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { isElsewhere } from '../destinations/regions.ts';
import type { MessageSource } from './subscribed-queue.ts';

export function isInAnotherRegion(scope: Construct, { env }: MessageSource): boolean {
  return isElsewhere(env.region, Stack.of(scope).region);
}

export function isInAnotherAccount(scope: Construct, { env }: MessageSource): boolean {
  return isElsewhere(env.account, Stack.of(scope).account);
}

/**
 * The account of the queue makes the subscription, which a topic of another account has to allow. Source:
 * "Sending Amazon SNS messages to an Amazon SQS queue in a different account".
 */
export function allowSubscription(queue: IQueue, topic: ITopic): void {
  if (!isInAnotherAccount(queue, topic)) return;
  const { account } = Stack.of(queue);
  if (Resource.isOwnedResource(topic)) {
    topic.addToResourcePolicy(
      new PolicyStatement({
        principals: [new AccountPrincipal(account)],
        actions: ['sns:Subscribe'],
        resources: [topic.topicArn],
        conditions: { StringEquals: { 'sns:Protocol': 'sqs' } },
      }),
    );
    return;
  }
  Annotations.of(queue).addWarningV2(
    `sagabox:topicPolicy:${topic.node.path}`,
    `subscribesTo: '${topic.node.path}' is a topic of account ${topic.env.account}, whose policy stays as it is. Let it ` +
      `allow sns:Subscribe to account ${account}: without that, the subscription cannot be deployed.`,
  );
}

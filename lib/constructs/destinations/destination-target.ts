import { CfnResource } from 'aws-cdk-lib';
import type { Grant, IGrantable } from 'aws-cdk-lib/aws-iam';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { AnyEventBus } from '../any-resource.ts';
import { grantSend } from './queue-access.ts';

/** Where a destination's messages go. */
export type DestinationTarget = IQueue | ITopic | AnyEventBus;

export function isQueue(target: DestinationTarget): target is IQueue {
  return 'queueArn' in target;
}

export function isTopic(target: DestinationTarget): target is ITopic {
  return 'topicArn' in target;
}

/** One may be imported more than once: its ARN tells, also while it is a token. */
export function sameTarget(one: DestinationTarget, other: DestinationTarget): boolean {
  return one === other || arnOf(one) === arnOf(other);
}

function arnOf(target: DestinationTarget): string {
  if (isQueue(target)) return target.queueArn;
  return isTopic(target) ? target.topicArn : target.eventBusArn;
}

/**
 * The largest message that a queue or topic of the app takes, in bytes; undefined where the template does not
 * say, and for what is imported.
 */
export function statedMessageSize({ node }: DestinationTarget): number | undefined {
  const resource = node.defaultChild;
  if (resource === undefined || !CfnResource.isCfnResource(resource)) return undefined;
  return (resource as { maximumMessageSize?: number }).maximumMessageSize;
}

/** Where a target is, for the runtime. */
export function addressOf(target: DestinationTarget): string {
  if (isQueue(target)) return target.queueUrl;
  return isTopic(target) ? target.topicArn : target.eventBusArn;
}

/** Allows to send to the target, and nothing else of it. */
export function grantDispatchTo(target: DestinationTarget, grantee: IGrantable): Grant {
  if (isQueue(target)) return grantSend(target, grantee);
  return isTopic(target) ? target.grantPublish(grantee) : target.grantPutEventsTo(grantee);
}

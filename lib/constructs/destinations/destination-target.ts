import { CfnResource } from 'aws-cdk-lib';
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { IConstruct } from 'constructs';
import type { AnyEventBus } from '../construct-types.ts';
import { grantKey, grantSendTo, sendKeyActions } from './queue-access.ts';
import { queueReference } from './queue-reference.ts';
import { reachable } from './reachable.ts';
import { isInEnvironmentOf } from './regions.ts';
import { isCertainlySameResource, isSameResource } from './same-resource.ts';

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
  return isSameResource(one, other, arnOf);
}

/** For what two endpoints must not share: stacks of two places may import one name. */
export function certainlySameTarget(one: DestinationTarget, other: DestinationTarget): boolean {
  return isCertainlySameResource(one, other, arnOf);
}

export function arnOf(target: DestinationTarget): string {
  if (isQueue(target)) return target.queueArn;
  return isTopic(target) ? target.topicArn : target.eventBusArn;
}

/**
 * The largest message that a queue or topic of the app takes, in bytes; undefined where the template does not
 * say, and for what is imported.
 */
export function messageSizeFromTemplate({ node }: DestinationTarget): number | undefined {
  const resource = node.defaultChild;
  if (resource === undefined || !CfnResource.isCfnResource(resource)) return undefined;
  return (resource as { maximumMessageSize?: number }).maximumMessageSize;
}

/**
 * Where a target is, for the runtime: by its name alone in the account and region of the scope, which stand
 * in the environment once.
 */
export function addressOf(scope: IConstruct, target: DestinationTarget): string {
  const isHere = isInEnvironmentOf(scope, target);
  if (isQueue(target)) {
    const { queueName, queueUrl } = queueReference(scope, target);
    return isHere ? queueName : queueUrl;
  }
  if (isTopic(target)) {
    return isHere
      ? `sns:${reachable(target, target.topicName, 'name')}`
      : reachable(target, target.topicArn, 'arn');
  }
  return isHere
    ? `events:${reachable(target, target.eventBusName, 'name')}`
    : reachable(target, target.eventBusArn, 'arn');
}

/** Allows to send to the target, and nothing else of it. */
export function grantDispatchTo(scope: IConstruct, target: DestinationTarget, grantee: IGrantable): Grant {
  if (isQueue(target)) return grantSendTo(scope, target, grantee);
  // `grantPublish` of a topic would allow more with its key, and name roles in the policy of another account.
  if (isTopic(target)) grantKey(target.masterKey, sendKeyActions, grantee);
  const resourceArns = [reachable(target, arnOf(target), 'arn')];
  return Grant.addToPrincipal({ grantee, actions: [sendActionOf(target)], resourceArns });
}

/** What sends to the target. */
export function sendActionOf(target: DestinationTarget): string {
  if (isQueue(target)) return 'sqs:SendMessage';
  return isTopic(target) ? 'sns:Publish' : 'events:PutEvents';
}

/** The customer managed key of a target, if it is known to have one. */
export function keyOf(target: DestinationTarget): IKey | undefined {
  if (isQueue(target)) return target.encryptionMasterKey;
  return isTopic(target) ? target.masterKey : undefined;
}

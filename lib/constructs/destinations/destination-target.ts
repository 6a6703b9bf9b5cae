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

interface TargetKinds {
  readonly queue: IQueue;
  readonly topic: ITopic;
  readonly eventBus: AnyEventBus;
}

interface KindRow<Target> {
  /** In a sentence. */
  readonly name: string;
  /** The action that sends to the target. */
  readonly sendAction: string;
  arnOf(target: Target): string;
  /** The customer managed key of the target, if it is known to have one. */
  keyOf(target: Target): IKey | undefined;
}

/** What differs between the kinds: a further kind is a further row, which the compiler asks for. */
const kindRows: { readonly [Kind in keyof TargetKinds]: KindRow<TargetKinds[Kind]> } = {
  queue: {
    name: 'queue',
    sendAction: 'sqs:SendMessage',
    arnOf: ({ queueArn }) => queueArn,
    keyOf: ({ encryptionMasterKey }) => encryptionMasterKey,
  },
  topic: {
    name: 'topic',
    sendAction: 'sns:Publish',
    arnOf: ({ topicArn }) => topicArn,
    keyOf: ({ masterKey }) => masterKey,
  },
  eventBus: {
    name: 'event bus',
    sendAction: 'events:PutEvents',
    arnOf: ({ eventBusArn }) => eventBusArn,
    keyOf: () => undefined,
  },
};

function rowOf(target: DestinationTarget): KindRow<DestinationTarget> {
  const kind = isQueue(target) ? 'queue' : isTopic(target) ? 'topic' : 'eventBus';
  return kindRows[kind] as KindRow<DestinationTarget>;
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
  return rowOf(target).arnOf(target);
}

/** The kind of a target, in a sentence: 'queue', 'topic' or 'event bus'. */
export function kindNameOf(target: DestinationTarget): string {
  return rowOf(target).name;
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

/** The action that sends to the target. */
export function sendActionOf(target: DestinationTarget): string {
  return rowOf(target).sendAction;
}

/** The customer managed key of a target, if it is known to have one. */
export function keyOf(target: DestinationTarget): IKey | undefined {
  return rowOf(target).keyOf(target);
}

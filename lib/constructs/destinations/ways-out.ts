import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import type { Construct, IConstruct } from 'constructs';
import type { AnyBucket, AnyEventBus } from '../construct-types.ts';
import { arnOf, type DestinationTarget, isQueue, isTopic, keyOf, kindNameOf } from './destination-target.ts';
import { physicalNameOf } from './queue-reference.ts';
import { reportUnreachable, type Way } from './reachable.ts';

interface Scheduler extends IConstruct {
  readonly groupName: string;
  readonly scheduleKey: IKey | undefined;
}

/** Reports at synth when a construct cannot refer to a destination, or to its key. */
export function reportUnreachableTarget(scope: Construct, target: DestinationTarget, setting: string): void {
  for (const way of [...waysTo(target, setting), ...waysToKey(keyOf(target), setting)]) {
    reportUnreachable(scope, way);
  }
}

/** Reports at synth when a construct cannot refer to a bucket, or to its key. */
export function reportUnreachableBucket(scope: Construct, bucket: AnyBucket, setting: string): void {
  const way = wayTo('bucket', 'a bucketName', { setting, owner: bucket, value: bucket.bucketArn });
  for (const each of [way, ...waysToKey(bucket.encryptionKey, setting)]) reportUnreachable(scope, each);
}

/**
 * Reports at synth when a construct cannot refer to a scheduler, or to its key: the role of a scheduler has no
 * name.
 */
export function reportUnreachableScheduler(scope: Construct, scheduler: Scheduler, setting: string): void {
  const remedy = 'Declare the MessageScheduler in a stack of its own';
  const way = { setting, owner: scheduler, value: scheduler.groupName, againstCycle: remedy };
  for (const each of [{ ...way, acrossAccounts: remedy }, ...waysToKey(scheduler.scheduleKey, setting)]) {
    reportUnreachable(scope, each);
  }
}

/** Reports at synth when a subscription or a rule cannot refer to its topic or event bus. */
export function reportUnreachableSource(scope: Construct, source: ITopic | AnyEventBus): void {
  reportUnreachable(scope, {
    setting: 'subscribesTo',
    owner: source,
    value: arnOf(source),
    againstCycle: `Declare the ${kindNameOf(source)} in a stack of its own, or import it by its ARN once it is deployed`,
    acrossAccounts: isTopic(source)
      ? 'Import the topic by its ARN, or give one of another account a topicName'
      : 'Import the bus by its name or ARN',
  });
}

/** Nothing of CDK's refers to a queue that is known by its name. */
function waysTo(target: DestinationTarget, setting: string): Way[] {
  const way = { setting, owner: target, value: arnOf(target) };
  if (isQueue(target)) {
    if (physicalNameOf(target) !== undefined) return [];
    const remedy = 'Give its endpoint a queueName, or the queue itself';
    return [{ ...way, againstCycle: `${remedy}: it needs no reference then`, acrossAccounts: remedy }];
  }
  return [isTopic(target) ? wayTo('topic', 'a topicName', way) : wayTo('event bus', 'an eventBusName', way)];
}

function wayTo(kind: string, name: string, way: Pick<Way, 'setting' | 'owner' | 'value'>): Way {
  const named = `Give the ${kind} ${name}`;
  return { ...way, againstCycle: `${named}, or declare it in a stack of its own`, acrossAccounts: named };
}

export function waysToKey(key: IKey | undefined, setting: string): Way[] {
  if (key === undefined) return [];
  return [
    {
      setting,
      owner: key,
      value: key.keyArn,
      againstCycle: 'Declare the key in a stack of its own',
      acrossAccounts:
        "Import what it encrypts, by its ARN and with its key as Key.fromKeyArn: an endpoint's queue by " +
        'MessageEndpoint.fromMessageEndpointAttributes',
    },
  ];
}

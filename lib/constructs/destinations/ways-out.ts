import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Construct } from 'constructs';
import type { AnyBucket } from '../any-resource.ts';
import { arnOf, type DestinationTarget, isQueue, isTopic, keyOf } from './destination-target.ts';
import { physicalNameOf } from './queue-reference.ts';
import { reportUnreachable, type Way } from './reachable.ts';

/** Reports at synth when a construct cannot refer to a destination, or to its key. */
export function reportUnreachableTarget(scope: Construct, target: DestinationTarget, setting: string): void {
  for (const way of [...waysTo(target, setting), ...waysToKey(keyOf(target), setting)]) {
    reportUnreachable(scope, way);
  }
}

/** Reports at synth when a construct cannot refer to a bucket, or to its key. */
export function reportUnreachableBucket(scope: Construct, bucket: AnyBucket, setting: string): void {
  const againstCycle = 'Declare the bucket in a stack of its own';
  const acrossAccounts = 'Give the bucket a bucketName';
  const way = { setting, owner: bucket, value: bucket.bucketArn, againstCycle, acrossAccounts };
  for (const each of [way, ...waysToKey(bucket.encryptionKey, setting)]) reportUnreachable(scope, each);
}

/** Nothing of CDK's refers to a queue that is known by its name. */
function waysTo(target: DestinationTarget, setting: string): Way[] {
  const way = { setting, owner: target, value: arnOf(target) };
  if (isQueue(target)) {
    if (physicalNameOf(target) !== undefined) return [];
    const remedy = 'Give its endpoint a queueName, or the queue itself';
    return [{ ...way, againstCycle: `${remedy}: it needs no reference then`, acrossAccounts: remedy }];
  }
  const [kind, name] = isTopic(target) ? ['topic', 'a topicName'] : ['event bus', 'an eventBusName'];
  const againstCycle = `Declare the ${kind} in a stack of its own`;
  return [{ ...way, againstCycle, acrossAccounts: `Give the ${kind} ${name}` }];
}

function waysToKey(key: IKey | undefined, setting: string): Way[] {
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

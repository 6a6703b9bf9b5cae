import { Stack } from 'aws-cdk-lib';
import type { Construct, Node } from 'constructs';
import type { AnyBucket } from '../claim-check/any-bucket.ts';
import type { ClaimCheck } from '../claim-check/claim-check.ts';
import { ClaimCheckBucket } from '../claim-check/claim-check-bucket.ts';
import type { EndpointFacts } from '../endpoint/endpoint-rule.ts';
import type { MessageScheduler } from '../scheduler/message-scheduler.ts';
import { type DestinationTarget, isQueue } from './destination-target.ts';
import { isElsewhere, resourcesElsewhere } from './regions.ts';

/** What the rules look at of what an endpoint sends, and how. */
export interface SendingParts {
  readonly scope: Construct;
  readonly targets: readonly DestinationTarget[];
  readonly scheduler: MessageScheduler | undefined;
  readonly claimCheck: ClaimCheck | undefined;
  /** The endpoints that get all messages that are sent to one of the targets. */
  readonly receivers: readonly ClaimReader[];
}

interface ClaimReader {
  readonly node: Node;
  readonly claimCheckBucket: AnyBucket | undefined;
}

type SendingFacts = Pick<
  EndpointFacts,
  'claimCheckRetentionSeconds' | 'receiversWithoutClaims' | 'waysOutElsewhere'
>;

export function sendingFacts(parts: SendingParts): SendingFacts {
  const { claimCheck, receivers } = parts;
  const blind =
    claimCheck === undefined
      ? []
      : receivers.filter(({ claimCheckBucket }) => !isSameBucket(claimCheckBucket, claimCheck.bucket));
  return {
    claimCheckRetentionSeconds: claimCheckRetentionSeconds(claimCheck),
    receiversWithoutClaims: blind.map(({ node }) => node.path),
    waysOutElsewhere: waysOutElsewhere(parts),
  };
}

function claimCheckRetentionSeconds(claimCheck: ClaimCheck | undefined): number | undefined {
  if (!(claimCheck?.bucket instanceof ClaimCheckBucket)) return undefined;
  const { retention } = claimCheck.bucket;
  return retention.isUnresolved() ? undefined : retention.toSeconds();
}

/** A bucket may be imported more than once. */
function isSameBucket(one: AnyBucket | undefined, other: AnyBucket): boolean {
  return one === other || one?.bucketName === other.bucketName;
}

/** Queues are left out: their URL tells their region. */
function waysOutElsewhere({ scope, targets, scheduler }: SendingParts): string[] {
  const services = targets.filter((target) => !isQueue(target));
  const paths = resourcesElsewhere(scope, services).map(({ node }) => node.path);
  if (scheduler !== undefined && isElsewhere(Stack.of(scheduler).region, Stack.of(scope).region)) {
    paths.push(scheduler.node.path);
  }
  return paths;
}

import type { Construct } from 'constructs';
import type { ClaimCheck } from '../claim-check/claim-check.ts';
import { claimRetentionSeconds } from '../claim-check/claim-retention.ts';
import type { AnyBucket, AnyTable } from '../construct-types.ts';
import type { DestinationTarget } from '../destinations/destination-target.ts';
import { resourcesElsewhere } from '../destinations/regions.ts';
import { isKnown } from '../is-known.ts';
import { receiversOf } from '../subscriptions/receivers.ts';
import { namesakesOf } from '../tables/record-owners.ts';
import type { EndpointSending } from './endpoint-sending.ts';

/**
 * What the rules judge of any endpoint that keeps records and sends. A value that is known only at deployment is
 * undefined, and its rules do not apply.
 */
export interface SendingFacts {
  readonly endpointName: string | undefined;
  /** The other endpoints with the same name that deduplicate on the same outbox table. */
  readonly namesakes: readonly string[];
  /** Also undefined when there is no claim check, and when its bucket is imported or removes no bodies. */
  readonly claimCheckRetentionSeconds: number | undefined;
  /** The endpoints that get messages of this one and cannot read the bodies that it stores in the bucket. */
  readonly receiversWithoutClaims: readonly string[];
  /** The queues, topics, event buses and buckets of other regions that the endpoint sends by, by setting. */
  readonly waysOutElsewhere: Readonly<Record<string, readonly string[]>>;
}

interface SendingEndpoint extends Construct {
  readonly endpointName: string;
  readonly outboxTable: AnyTable | undefined;
}

export function sendingFacts(endpoint: SendingEndpoint, sending: EndpointSending): SendingFacts {
  const { endpointName } = endpoint;
  const { claimCheck, destinations } = sending;
  const receivers = receiversOf(endpoint, destinations.targets);
  return {
    endpointName: isKnown(endpointName) ? endpointName : undefined,
    namesakes: pathsOf(namesakesOf(endpoint)),
    claimCheckRetentionSeconds: claimCheck && claimRetentionSeconds(claimCheck.bucket),
    receiversWithoutClaims: pathsOf(
      receivers.filter(({ claimCheckBucket }) => !readsClaims(claimCheckBucket, claimCheck)),
    ),
    waysOutElsewhere: waysOutElsewhere(endpoint, sending),
  };
}

export function pathsOf(constructs: readonly Pick<Construct, 'node'>[]): string[] {
  return constructs.map(({ node }) => node.path);
}

/** A bucket may be imported more than once. */
function readsClaims(own: AnyBucket | undefined, claimCheck: ClaimCheck | undefined): boolean {
  const isSame = (bucket: AnyBucket) => own === bucket || own?.bucketName === bucket.bucketName;
  return claimCheck === undefined || isSame(claimCheck.bucket);
}

function waysOutElsewhere(
  endpoint: Construct,
  { destinations, claimCheck }: EndpointSending,
): Readonly<Record<string, readonly string[]>> {
  const ways: Readonly<Record<string, readonly (DestinationTarget | AnyBucket)[]>> = {
    sendsTo: destinations.targetsOf('sendsTo'),
    publishesTo: destinations.targetsOf('publishesTo'),
    claimCheck: claimCheck ? [claimCheck.bucket] : [],
  };
  const elsewhere = Object.entries(ways).map(
    ([setting, resources]) => [setting, pathsOf(resourcesElsewhere(endpoint, resources))] as const,
  );
  return Object.fromEntries(elsewhere.filter(([, paths]) => paths.length > 0));
}

/**
 * What the rules judge. A value that is known only at deployment is undefined, and its rules do not apply.
 */
export interface EndpointFacts {
  readonly endpointName: string | undefined;
  readonly functionTimeoutSeconds: number | undefined;
  readonly visibilityTimeoutSeconds: number | undefined;
  readonly retentionSeconds: number | undefined;
  readonly deadLetterRetentionSeconds: number | undefined;
  /** Also undefined when the endpoint has no outbox, and remembers nothing. */
  readonly deduplicationSeconds: number | undefined;
  readonly maxReceiveCount: number | undefined;
  /** The other endpoints with the same name that deduplicate on the same outbox table. */
  readonly namesakes: readonly string[];
  /** The other endpoints that were given the same function. */
  readonly functionSharers: readonly string[];
  /** The saga and outbox tables whose items cannot be found by two texts. */
  readonly tablesWithUnusableKeys: readonly string[];
  /** The topics and event buses of other regions that the endpoint subscribes to. */
  readonly sourcesElsewhere: readonly string[];
  /** Also undefined when there is no claim check, or its bucket is another than a `ClaimCheckBucket`. */
  readonly claimCheckRetentionSeconds: number | undefined;
  /** The endpoints that get messages of this one and cannot read the bodies that it stores in the bucket. */
  readonly receiversWithoutClaims: readonly string[];
  /** The topics, event buses and schedulers of other regions that the endpoint sends by. */
  readonly waysOutElsewhere: readonly string[];
}

/** @returns cause and remedy when the rule is violated */
export type Rule = (facts: EndpointFacts) => string | undefined;

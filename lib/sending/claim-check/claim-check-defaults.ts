/** Of the claim check, for the constructs and the runtime. */
export const claimCheckDefaults = {
  /** Below it, a body costs less in the outbox and in SQS than a PutObject and a GetObject take in time. */
  thresholdBytes: 64 * 1024,
  /** All bodies are kept under keys that start with it. */
  keyPrefix: 'claims',
} as const;

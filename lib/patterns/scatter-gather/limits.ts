export const scatterGatherLimits = {
  /** Of one scatter-gather: their indexes fit into one message, as those that are missing. */
  maxRequests: 10_000,
  /** A part of a node is a bit of its state, and a message of one commit. */
  minWidth: 2,
  maxWidth: 1000,
} as const;

export const scatterGatherDefaults = {
  width: 32,
  grace: { minutes: 1 },
} as const;

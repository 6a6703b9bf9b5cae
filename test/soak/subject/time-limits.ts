/**
 * How long functions may run, in milliseconds. Both are the shortest with which sagabox keeps back at the end
 * what it keeps back of longer ones: 2 s of a batch, 10 s of a relay.
 */
export const timeLimits = { batchMs: 10_000, relayMs: 50_000 } as const;

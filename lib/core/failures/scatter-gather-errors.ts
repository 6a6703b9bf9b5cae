export interface OfScatterGather {
  /** Of the definition. */
  name: string;
}

/** Of the errors of scatter-gathers: their facts, and what they say. */
export const scatterGatherErrorMessages = {
  /** A scatter-gather has no requests, or too many. */
  ScatterGatherSize: (f: OfScatterGather & { id: string; requests: number; maxRequests: number }) =>
    `Scatter-gather '${f.name}' with id '${f.id}' has ${f.requests} requests, and takes 1 to ${f.maxRequests}: ` +
    (f.requests === 0
      ? 'it would have nothing to gather. Do not start it without requests.'
      : 'start several with ids of their own.'),
  /** A scatter-gather is started under the id of one that has not ended. */
  ScatterGatherRunning: (f: OfScatterGather & { id: string }) =>
    `Scatter-gather '${f.name}' with id '${f.id}' is started while one with that id runs, which goes on: ` +
    'give each one an id of its own.',
  /** A reply has a request id that its scatter-gather never gave. */
  ReplyNotAwaited: (f: OfScatterGather & { requestId: string; messageType: string }) =>
    `The reply '${f.messageType}' to request '${f.requestId}' is not awaited by scatter-gather '${f.name}': ` +
    "it sent no such request. Reply with the 'requestId' of the request.",
};

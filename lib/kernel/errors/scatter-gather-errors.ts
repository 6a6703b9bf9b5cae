export interface OfScatterGather {
  /** Of the definition. */
  name: string;
}

/** Errors of scatter-gathers: the message of each, made of its facts. */
export const scatterGatherErrorMessages = {
  /**
   * A [scatter-gather](docs/guide/scatter-gather.md#errors) has no requests, or over 10,000.
   *
   * @remedy Do not start one without requests. Start several, with ids of their own, for more.
   */
  ScatterGatherSize: (f: OfScatterGather & { id: string; requests: number; maxRequests: number }) =>
    `Scatter-gather '${f.name}' with id '${f.id}' has ${f.requests} requests, and takes 1 to ${f.maxRequests}: ` +
    (f.requests === 0
      ? 'it would have nothing to gather. Do not start it without requests.'
      : 'start several with ids of their own.'),
  /**
   * A [scatter-gather](docs/guide/scatter-gather.md#errors) is started under the id of one that runs. The
   * one that runs goes on.
   *
   * @remedy Give each one an id of its own.
   */
  ScatterGatherRunning: (f: OfScatterGather & { id: string }) =>
    `Scatter-gather '${f.name}' with id '${f.id}' is started while one with that id runs, which goes on: ` +
    'give each one an id of its own.',
  /**
   * A reply is to no request that a [scatter-gather](docs/guide/scatter-gather.md#errors) sent.
   *
   * @remedy Reply with the `requestId` of the request.
   */
  ReplyNotAwaited: (f: OfScatterGather & { requestId: string; messageType: string }) =>
    `The reply '${f.messageType}' to request '${f.requestId}' is not awaited by scatter-gather '${f.name}': ` +
    "it sent no such request. Reply with the 'requestId' of the request.",
};

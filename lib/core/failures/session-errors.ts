/** Of the errors of sessions: their facts, and what they say. What clients of an API get names no fact of ours. */
export const sessionErrorMessages = {
  /** A request has no idempotency key, and its session requires one. */
  IdempotencyKeyMissing: (_: object) =>
    'The request has no idempotency key, which this operation requires: ' +
    "send one of your own in the header 'Idempotency-Key', and the same one when you repeat the request.",
  /** The idempotency key of a request cannot be read. */
  InvalidIdempotencyKey: (f: { detail: string }) =>
    `The idempotency key of the request cannot be used: ${f.detail}. Send a string that is not empty.`,
  /** Another request was answered under the idempotency key of this one. */
  IdempotencyKeyReused: (_: object) =>
    'The idempotency key of the request was used for another request: ' +
    'send a new key, or repeat the first request as it was.',
  /** Another request with the same key is being handled, and did not end while this one waited. */
  RequestInProgress: (f: { waitedMs: number }) =>
    `The same request is being handled, and was not answered within ${f.waitedMs} ms: repeat it a little later.`,
  /** An event looks like an HTTP request, in a form that tells no operation. */
  UnknownHttpEvent: (f: { path: string }) =>
    `The event looks like an HTTP request, as it has '${f.path}', and has none of the forms that sagabox knows: ` +
    'no method and path, and no type and field, tell one operation from another, so that it was not handled. ' +
    'Use a proxy integration or a direct resolver, or give the session an event without these fields. ' +
    'See docs/guide/sessions.md.',
  /** The response of a session cannot be kept for a repeated request: nothing was committed. */
  ResponseNotStorable: (f: { detail: string }) =>
    `The response of the handler cannot be given again to a repeated request: ${f.detail}. Nothing was committed.`,
  /** A session committed nothing, as its handler returned a response of that status; only reported. */
  ResponseNotCommitted: (f: { statusCode: number }) =>
    `The handler returned a response with status ${f.statusCode}: nothing was committed, stored or sent. ` +
    "Set 'commitsStatus' to commit such responses.",
};

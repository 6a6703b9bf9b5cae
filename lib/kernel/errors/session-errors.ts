import { retryable } from './retryable.ts';

/** Errors of sessions: the message of each, made of its facts. Clients of an API get messages without facts of ours. */
export const sessionErrorMessages = {
  /**
   * A request of a [session](docs/guide/sessions.md#idempotency-keys) has no idempotency key, which is
   * required. Over HTTP, status 400.
   *
   * @remedy The client sends a key of its own in the header `Idempotency-Key`, and the same one when it
   * repeats the request.
   */
  IdempotencyKeyMissing: (_: object) =>
    'The request has no idempotency key, which this operation requires: ' +
    "send one of your own in the header 'Idempotency-Key', and the same one when you repeat the request.",
  /**
   * The idempotency key is empty, malformed, or there more than once. Over HTTP, status 400.
   *
   * @remedy The client sends one string that is not empty.
   */
  InvalidIdempotencyKey: (f: { detail: string }) =>
    `The idempotency key of the request cannot be used: ${f.detail}. Send a string that is not empty.`,
  /**
   * Another request was committed under the idempotency key. Over HTTP, status 422.
   *
   * @remedy The client sends a new key, or repeats the first request as it was.
   */
  IdempotencyKeyReused: (_: object) =>
    'The idempotency key of the request was used for another request: ' +
    'send a new key, or repeat the first request as it was.',
  /**
   * An exclusive session waited in vain for the response to [the same
   * request](docs/guide/sessions.md#two-requests-at-the-same-time). Over HTTP, status 409.
   *
   * @remedy The client repeats the request a little later, with the same key.
   */
  RequestInProgress: retryable(
    (f: { waitedMs: number }) =>
      `The same request is being handled, and was not answered within ${f.waitedMs} ms: repeat it a little later.`,
  ),
  /**
   * The event of a session looks like an HTTP request, and has none of [the known
   * forms](docs/guide/sessions.md#what-is-compared): no method and path, and no type and field, tell its
   * operation. The fact `path` is what it looks like one by, such as `event.headers`. The handler did not
   * run.
   *
   * @remedy Use a proxy integration, or a direct resolver of AppSync. In a test, give the event
   * `httpMethod` and `path`. If it is no HTTP request, give the session an event without that field:
   * `runOutboxSession` takes any value, and a middleware before `outboxSession` can replace
   * `request.event`.
   */
  UnknownHttpEvent: (f: { path: string }) =>
    `The event looks like an HTTP request, as it has '${f.path}', and has none of the forms that sagabox knows: ` +
    'no method and path, and no type and field, tell one operation from another, so that it was not handled. ' +
    'Use a proxy integration or a direct resolver, or give the session an event without these fields. ' +
    'See docs/guide/sessions.md.',
  /**
   * The response of a session is [no JSON, a stream, or too large](docs/guide/sessions.md#the-response), or
   * holds a value that JSON would change silently. The error names its path. Nothing was committed.
   *
   * @remedy Return JSON or a string. For large responses, give the session a [claim
   * check](docs/guide/messaging.md#claim-check).
   */
  ResponseNotStorable: (f: { detail: string }) =>
    `The response of the handler cannot be given again to a repeated request: ${f.detail}. Nothing was committed.`,
  /**
   * Only reported: a session returned a response whose status is [not
   * committed](docs/guide/sessions.md#what-happens-to-a-request). Nothing was committed, stored or sent.
   *
   * @remedy No action is needed if that was meant. Otherwise set `commitsStatus` to commit such responses.
   */
  ResponseNotCommitted: (f: { statusCode: number }) =>
    `The handler returned a response with status ${f.statusCode}: nothing was committed, stored or sent. ` +
    "Set 'commitsStatus' to commit such responses.",
};

/**
 * Source: "Trace Context", W3C Recommendation. Versions over `00` may have further fields, here as long as
 * they leave room for the other headers.
 */
const traceParent =
  /^(?!ff|00.{54})[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}(-[!-~]{0,200})?$/;

/** What is none is not handed on: a header that a sender spoiled must not keep a handler from sending. */
export function isTraceParent(header: string | undefined): header is string {
  return header !== undefined && traceParent.test(header);
}

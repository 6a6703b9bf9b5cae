/** Source: "Trace Context", W3C Recommendation: version, trace id, parent id and flags; `ff` and zeros alone are invalid. */
const traceParent = /^(?!ff)[\da-f]{2}-(?!0{32})[\da-f]{32}-(?!0{16})[\da-f]{16}-[\da-f]{2}$/;

/** What is none is not handed on: a header that a sender spoiled must not keep a handler from sending. */
export function isTraceParent(header: string | undefined): header is string {
  return header !== undefined && traceParent.test(header);
}

import {
  type Context,
  context,
  createTraceState,
  isSpanContextValid,
  type Span,
  type SpanContext,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { type TraceContext, traceHeaders } from '../observe/tracing/trace-context.ts';

/** Returns the context of a span of another process. */
export function toSpanContext({ traceId, spanId, isSampled, traceState }: TraceContext): SpanContext {
  return {
    traceId,
    spanId,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
    ...(traceState !== undefined && { traceState: createTraceState(traceState) }),
  };
}

/** Returns the trace headers of messages that carry the context of a span; none if that is not valid. */
export function headersOf(span: Span): Readonly<Record<string, string>> {
  const created = span.spanContext();
  if (!isSpanContextValid(created)) return {};
  const { traceId, spanId, traceFlags, traceState } = created;
  const isSampled = (traceFlags & TraceFlags.SAMPLED) === TraceFlags.SAMPLED;
  return traceHeaders({ traceId, spanId, isSampled, traceState: traceState?.serialize() });
}

/** Returns the active context with a span of another process as the parent. */
export function within(remote: SpanContext): Context {
  return trace.setSpanContext(context.active(), remote);
}

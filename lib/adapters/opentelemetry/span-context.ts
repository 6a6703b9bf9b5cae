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
import { type TraceContext, traceHeaders } from '../../core/tracing/trace-context.ts';

/** Of a span of another process. */
export function toSpanContext({ traceId, spanId, isSampled, traceState }: TraceContext): SpanContext {
  return {
    traceId,
    spanId,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
    ...(traceState !== undefined && { traceState: createTraceState(traceState) }),
  };
}

/** The trace headers of messages that carry the context of a span; none if there is none. */
export function headersOf(span: Span): Readonly<Record<string, string>> {
  const created = span.spanContext();
  if (!isSpanContextValid(created)) return {};
  const { traceId, spanId, traceFlags, traceState } = created;
  const isSampled = (traceFlags & TraceFlags.SAMPLED) === TraceFlags.SAMPLED;
  return traceHeaders({ traceId, spanId, isSampled, traceState: traceState?.serialize() });
}

/** A span of another process as the parent, in whatever else the context holds. */
export function within(remote: SpanContext): Context {
  return trace.setSpanContext(context.active(), remote);
}

import { type SpanContext, SpanKind, type Tracer } from '@opentelemetry/api';
import type { Destination } from '../messages/destinations/destination.ts';
import { headerNames } from '../messages/headers.ts';
import type { OutgoingMessage } from '../messages/message.ts';
import { readTraceHeaders } from '../observe/tracing/trace-context.ts';
import { createAttributes, spanName } from './attributes.ts';
import { headersOf, toSpanContext, within } from './span-context.ts';

/**
 * Returns a message with the context of a span of its own, a child of the span that its headers name: so each
 * message is handled below its own span. A message without a trace is left alone, and so is one whose sender
 * gave it a context. The new header is as long as the old one, with which the message was measured.
 */
export function withCreationContext(
  message: OutgoingMessage,
  destination: Destination,
  tracer: Tracer,
): OutgoingMessage {
  const parent = contextOf(message);
  if (parent === undefined || message.hasCreationContext) return message;
  const attributes = createAttributes(message, destination);
  const options = { kind: SpanKind.PRODUCER, attributes };
  const span = tracer.startSpan(spanName(attributes), options, within(parent));
  span.end();
  const { [headerNames.traceParent]: traceParent = '' } = headersOf(span);
  return { ...message, headers: { ...message.headers, [headerNames.traceParent]: traceParent } };
}

/** Returns the context of the span that a message's headers name. */
export function contextOf({ headers }: OutgoingMessage): SpanContext | undefined {
  const context = readTraceHeaders(headers);
  return context && toSpanContext(context);
}

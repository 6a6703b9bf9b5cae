import { type Context, context, type Span, SpanKind, trace } from '@opentelemetry/api';
import type { SQSRecord } from 'aws-lambda';
import { aDuration, assertOptionKinds, trueOrFalse } from '../kernel/checks/checks.ts';
import { type Duration, toMilliseconds } from '../kernel/duration.ts';
import type { Destination, Destinations } from '../messages/destinations/destination.ts';
import { attributeHeaders } from '../messages/envelope/message-headers.ts';
import type { IncomingMessage, OutgoingMessage } from '../messages/message.ts';
import { traceHeaderOf } from '../messages/record-fields.ts';
import type { MessageSpan } from '../observe/tracing/message-span.ts';
import { readTraceHeaders } from '../observe/tracing/trace-context.ts';
import { readXRayHeader } from '../observe/tracing/xray-header.ts';
import type { Dispatcher } from '../sending/dispatcher.ts';
import type { ProduceSteps, TracedRequest, Tracing } from '../sending/tracing.ts';
import {
  batchAttributes,
  messageAttributes,
  processAttributes,
  produceAttributes,
  SEMANTIC_CONVENTIONS_VERSION,
  sessionAttributes,
  spanName,
} from './attributes.ts';
import { contextOf, withCreationContext } from './creation-context.ts';
import { endSpan } from './end-span.ts';
import { flushSpans } from './flush-spans.ts';
import { invocationTraceHeader } from './invocation-header.ts';
import { OpenTelemetryMessageSpan } from './message-span.ts';
import { headersOf, toSpanContext, within } from './span-context.ts';
import { TracedDispatcher } from './traced-dispatcher.ts';

export interface OpenTelemetryOptions {
  /**
   * Whether messages without a `traceparent` continue the trace of X-Ray's `AWSTraceHeader`, and outgoing
   * messages carry one where Lambda's active tracing samples the invocation.
   *
   * @default true
   */
  xray?: boolean;
  /**
   * The time that an invocation waits at its end for its spans to be exported. Zero leaves the export to
   * whoever registered the provider.
   *
   * @default { seconds: 2 }
   */
  flushTimeout?: Duration;
}

const schemaUrl = `https://opentelemetry.io/schemas/${SEMANTIC_CONVENTIONS_VERSION}`;

/**
 * Makes spans with the tracer provider that is registered with `@opentelemetry/api`: a span for each attempt
 * at a message, in which its handler runs, and in it spans of the commit, of what the handler sends, and of
 * each dispatch. Without a registered provider none are made, and trace headers are handed on.
 *
 * @throws SagaboxError `Configuration` for wrong options
 * @example
 * ```ts
 * import { createHandler, defineHandlers } from 'sagabox';
 * import { openTelemetry } from 'sagabox/opentelemetry';
 * import * as v from 'valibot';
 *
 * const mail = defineHandlers({
 *   messages: { WelcomeCustomer: v.object({ name: v.string() }) },
 *   handlers: { WelcomeCustomer() {} },
 * });
 *
 * export const handler = createHandler(mail, { tracing: openTelemetry() });
 * ```
 */
export function openTelemetry(options: OpenTelemetryOptions = {}): Tracing {
  assertOptionKinds('openTelemetry', options, { xray: trueOrFalse, flushTimeout: aDuration });
  const { xray = true, flushTimeout = { seconds: 2 } } = options;
  const tracer = trace.getTracerProvider().getTracer('sagabox', undefined, { schemaUrl });

  const startMessage = (
    record: SQSRecord,
    message: IncomingMessage | undefined,
    endpoint: string | undefined,
  ): MessageSpan => {
    const headers = message?.headers ?? attributeHeaders(record.messageAttributes);
    const received = readTraceHeaders(headers) ?? (xray ? readXRayHeader(traceHeaderOf(record)) : undefined);
    const current = currentContext(xray);
    const ambient = trace.getSpanContext(current);
    const parent = received ? within(toSpanContext(received)) : current;
    // The span that invoked the function is linked, as it is no parent of a message that has one of its own.
    const links = received && ambient ? [{ context: ambient }] : [];
    const attributes = processAttributes(record, message, headers, endpoint);
    const span = tracer.startSpan(
      spanName(attributes),
      { kind: SpanKind.CONSUMER, attributes, links },
      parent,
    );
    return new OpenTelemetryMessageSpan(tracer, span, parent);
  };

  const startSession = (request: TracedRequest, endpoint: string): MessageSpan => {
    const received = readTraceHeaders(request.headers);
    // An instrumentation of the function has read the headers of the request.
    const isNew = trace.getSpanContext(context.active()) === undefined;
    const parent = received && isNew ? within(toSpanContext(received)) : currentContext(xray);
    const attributes = sessionAttributes(request, endpoint);
    const span = tracer.startSpan(`session ${endpoint}`, { attributes }, parent);
    return new OpenTelemetryMessageSpan(tracer, span, parent);
  };

  const produce = async (destination: Destination, steps: ProduceSteps): Promise<readonly string[]> => {
    const attributes = produceAttributes(destination);
    const parent = currentContext(xray);
    // By the conventions: a single message carries the context of this span, others those of their own.
    const kind = steps.isBatch ? SpanKind.CLIENT : SpanKind.PRODUCER;
    const span = tracer.startSpan(spanName(attributes), { kind, attributes }, parent);
    const send = async () => {
      const messages = await steps.prepare(headersOf(span));
      const created = steps.isBatch
        ? messages.map((message) => withCreationContext(message, destination, tracer))
        : messages;
      noteProduced(span, created, steps.isBatch);
      await steps.send(created);
      return created.map(({ id }) => id);
    };
    try {
      const ids = await context.with(trace.setSpan(parent, span), send);
      endSpan(span);
      return ids;
    } catch (error) {
      endSpan(span, { error });
      throw error;
    }
  };

  const traced = (dispatcher: Dispatcher, destinations: Destinations): Dispatcher =>
    new TracedDispatcher(dispatcher, { tracer, destinations, xray });

  const flush = (maxMs: number) => flushSpans(Math.min(maxMs, toMilliseconds(flushTimeout)));

  return { startMessage, startSession, produce, traced, flush };
}

/**
 * Returns the context of the current span, else of the segment of Lambda's active tracing, if that samples
 * the invocation.
 */
function currentContext(xray: boolean): Context {
  const current = context.active();
  const segment =
    xray && !trace.getSpanContext(current) ? readXRayHeader(invocationTraceHeader()) : undefined;
  return segment ? within(toSpanContext(segment)) : current;
}

/** Notes on the span of a producer what is known once its messages are composed. */
function noteProduced(span: Span, messages: readonly OutgoingMessage[], isBatch: boolean): void {
  const [first] = messages;
  if (isBatch || first === undefined) span.setAttributes(batchAttributes(messages.length));
  else span.setAttributes(messageAttributes(first));
  for (const message of messages) {
    const created = contextOf(message);
    if (created && created.spanId !== span.spanContext().spanId) span.addLink({ context: created });
  }
}

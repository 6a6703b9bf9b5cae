import { context, type Span, type SpanContext, SpanKind, type Tracer, trace } from '@opentelemetry/api';
import type { Destination, Destinations } from '../messages/destinations/destination.ts';
import {
  type DispatchedMessage,
  isCancellation,
  type OutgoingMessage,
  type OutgoingOperation,
} from '../messages/message.ts';
import { readTraceHeaders } from '../observe/tracing/trace-context.ts';
import { readXRayHeader, xrayHeader } from '../observe/tracing/xray-header.ts';
import type { DispatchOptions } from '../sending/dispatch-options.ts';
import type { Dispatcher } from '../sending/dispatcher.ts';
import { sendAttributes, spanName } from './attributes.ts';
import { contextOf, withCreationContext } from './creation-context.ts';
import { endSpan } from './end-span.ts';
import { invocationTraceHeader } from './invocation-header.ts';
import { within } from './span-context.ts';

export interface TracedDispatcherOptions {
  readonly tracer: Tracer;
  readonly destinations: Destinations;
  /** Whether messages carry X-Ray's header too. */
  readonly xray: boolean;
}

/** A dispatch to one destination, under way. */
interface TracedSend {
  readonly span: Span;
  /** The ids of its messages that are not taken yet. */
  readonly left: Set<string>;
}

/**
 * Dispatches in spans: one for each message, which carries its context, and one for each destination, which
 * ends when its messages are taken. The outbox holds one context for all messages of a handler, the parent of
 * these spans; so every dispatch makes its own.
 */
export class TracedDispatcher implements Dispatcher {
  readonly #dispatcher: Dispatcher;
  readonly #options: TracedDispatcherOptions;

  constructor(dispatcher: Dispatcher, options: TracedDispatcherOptions) {
    this.#dispatcher = dispatcher;
    this.#options = options;
  }

  async dispatch(operations: readonly OutgoingOperation[], options: DispatchOptions = {}): Promise<void> {
    const created = operations.map((operation) => this.#create(operation));
    let sends = this.#startSends(operations, created);
    const onTaken = (operationIds: readonly string[]) => {
      for (const { span, left } of sends) {
        for (const id of operationIds) left.delete(id);
        if (left.size === 0) endSpan(span);
      }
      sends = sends.filter(({ left }) => left.size > 0);
      options.onTaken?.(operationIds);
    };
    const sent = this.#options.xray ? created.map(withXRayHeader) : created;
    try {
      await this.#dispatcher.dispatch(sent, { ...options, onTaken });
      for (const { span } of sends) endSpan(span);
    } catch (error) {
      for (const { span } of sends) endSpan(span, { error });
      throw error;
    }
  }

  #create(operation: OutgoingOperation): OutgoingOperation {
    if (isCancellation(operation)) return operation;
    const destination = this.#options.destinations.get(operation.destination);
    return destination ? withCreationContext(operation, destination, this.#options.tracer) : operation;
  }

  #startSends(stored: readonly OutgoingOperation[], created: readonly OutgoingOperation[]): TracedSend[] {
    const storedAt = Map.groupBy(stored.filter(isMessage), ({ destination }) => destination);
    const createdAt = Map.groupBy(created.filter(isMessage), ({ destination }) => destination);
    return [...createdAt].flatMap(([name, messages]) => {
      const destination = this.#options.destinations.get(name);
      if (destination === undefined) return [];
      const span = this.#startSend(storedAt.get(name) ?? [], messages, destination);
      return [{ span, left: new Set(messages.map(({ id }) => id)) }];
    });
  }

  #startSend(
    stored: readonly OutgoingMessage[],
    created: readonly OutgoingMessage[],
    destination: Destination,
  ): Span {
    const [parent, ...others] = contextsOf(stored.filter(({ hasCreationContext }) => !hasCreationContext));
    const parentContext = parent && others.length === 0 ? within(parent) : context.active();
    const ambient = trace.getSpanContext(context.active());
    const isElsewhere = ambient && ambient.traceId !== trace.getSpanContext(parentContext)?.traceId;
    const linked = [...contextsOf(created), ...(isElsewhere ? [ambient] : [])];
    const attributes = sendAttributes(created, destination);
    // By the conventions: the messages carry other contexts than that of this span.
    const kind = SpanKind.CLIENT;
    const links = linked.map((each) => ({ context: each }));
    return this.#options.tracer.startSpan(spanName(attributes), { kind, attributes, links }, parentContext);
  }
}

function isMessage(operation: OutgoingOperation): operation is OutgoingMessage {
  return !isCancellation(operation);
}

/** Returns the contexts of the spans that the messages' headers name, each once. */
function contextsOf(messages: readonly OutgoingMessage[]): SpanContext[] {
  const contexts = messages.map(contextOf).filter((each) => each !== undefined);
  return [...new Map(contexts.map((each) => [each.spanId, each])).values()];
}

/**
 * Returns a message with its own context in X-Ray's header, where active tracing samples the invocation.
 * Elsewhere the header of the request stays: a sampled one would make the receiver write to X-Ray.
 */
function withXRayHeader(operation: OutgoingOperation): OutgoingOperation | DispatchedMessage {
  const ofRequest = invocationTraceHeader();
  if (isCancellation(operation) || ofRequest === undefined || !readXRayHeader(ofRequest)) return operation;
  const created = readTraceHeaders(operation.headers);
  const awsTraceHeader = created && xrayHeader(created, ofRequest);
  return awsTraceHeader ? { ...operation, awsTraceHeader } : operation;
}

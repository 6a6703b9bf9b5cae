import { context, type Span, type SpanContext, SpanKind, type Tracer, trace } from '@opentelemetry/api';
import {
  type DispatchedMessage,
  isCancellation,
  type OutgoingMessage,
  type OutgoingOperation,
} from '../../core/incoming/message.ts';
import type { Destination, Destinations } from '../../core/outgoing/destination.ts';
import type { DispatchOptions } from '../../core/outgoing/dispatch-options.ts';
import { readTraceHeaders } from '../../core/tracing/trace-context.ts';
import { readXRayHeader, xrayHeader } from '../../core/tracing/xray-header.ts';
import type { Dispatcher } from '../../ports.ts';
import { sendAttributes } from './attributes.ts';
import { endSpan } from './end-span.ts';
import { invocationTraceHeader } from './invocation-header.ts';
import { toSpanContext, within } from './span-context.ts';

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

/** Dispatches in spans, one for each destination; each ends when its messages are taken. */
export class TracedDispatcher implements Dispatcher {
  readonly #dispatcher: Dispatcher;
  readonly #options: TracedDispatcherOptions;

  constructor(dispatcher: Dispatcher, options: TracedDispatcherOptions) {
    this.#dispatcher = dispatcher;
    this.#options = options;
  }

  async dispatch(operations: readonly OutgoingOperation[], options: DispatchOptions = {}): Promise<void> {
    let sends = this.#startSends(operations);
    const onTaken = (operationIds: readonly string[]) => {
      for (const { span, left } of sends) {
        for (const id of operationIds) left.delete(id);
        if (left.size === 0) endSpan(span);
      }
      sends = sends.filter(({ left }) => left.size > 0);
      options.onTaken?.(operationIds);
    };
    const sent = this.#options.xray ? operations.map(withXRayHeader) : operations;
    try {
      await this.#dispatcher.dispatch(sent, { ...options, onTaken });
      for (const { span } of sends) endSpan(span);
    } catch (error) {
      for (const { span } of sends) endSpan(span, { error });
      throw error;
    }
  }

  #startSends(operations: readonly OutgoingOperation[]): TracedSend[] {
    const messages = operations.filter(
      (operation): operation is OutgoingMessage => !isCancellation(operation),
    );
    return [...Map.groupBy(messages, ({ destination }) => destination)].flatMap(([name, group]) => {
      const destination = this.#options.destinations.get(name);
      if (destination === undefined) return [];
      return [{ span: this.#startSend(group, destination), left: new Set(group.map(({ id }) => id)) }];
    });
  }

  #startSend(messages: readonly OutgoingMessage[], destination: Destination): Span {
    const created = creationsOf(messages);
    const [first] = created;
    const ambient = trace.getSpanContext(context.active());
    const isElsewhere = ambient && first && ambient.traceId !== first.traceId;
    const linked = isElsewhere ? [...created, ambient] : created;
    return this.#options.tracer.startSpan(
      `send ${destination.name}`,
      {
        // By the conventions: it is not its context that the messages carry.
        kind: SpanKind.CLIENT,
        attributes: sendAttributes(messages, destination),
        links: linked.map((each) => ({ context: each })),
      },
      first && created.length === 1 ? within(first) : context.active(),
    );
  }
}

/** Of each span that created some of the messages. */
function creationsOf(messages: readonly OutgoingMessage[]): SpanContext[] {
  const bySpan = new Map<string, SpanContext>();
  for (const { headers } of messages) {
    const created = readTraceHeaders(headers);
    if (created) bySpan.set(created.spanId, toSpanContext(created));
  }
  return [...bySpan.values()];
}

/**
 * With its own context in X-Ray's header, where active tracing samples the invocation: elsewhere the header of
 * the request must do, as one that is sampled makes the receiver write to X-Ray.
 */
function withXRayHeader(operation: OutgoingOperation): OutgoingOperation | DispatchedMessage {
  const ofRequest = invocationTraceHeader();
  if (isCancellation(operation) || ofRequest === undefined || !readXRayHeader(ofRequest)) return operation;
  const created = readTraceHeaders(operation.headers);
  const awsTraceHeader = created && xrayHeader(created, ofRequest);
  return awsTraceHeader ? { ...operation, awsTraceHeader } : operation;
}

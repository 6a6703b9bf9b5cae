import { type Context, context, type Span, type Tracer, trace } from '@opentelemetry/api';
import type { SagaIdentity } from '../dynamodb/keys.ts';
import type { MessageSpan } from '../observe/tracing/message-span.ts';
import { bounded } from './attributes.ts';
import { endSpan } from './end-span.ts';
import { headersOf } from './span-context.ts';

export class OpenTelemetryMessageSpan implements MessageSpan {
  readonly #tracer: Tracer;
  readonly #span: Span;
  readonly #context: Context;
  #commit: Span | undefined;

  constructor(tracer: Tracer, span: Span, parent: Context) {
    this.#tracer = tracer;
    this.#span = span;
    this.#context = trace.setSpan(parent, span);
  }

  run<T>(attempt: () => T): T {
    return context.with(this.#context, attempt);
  }

  get traceHeaders(): Readonly<Record<string, string>> {
    // Without an SDK, the span has the context of the received message, if that has one.
    return headersOf(this.#span);
  }

  async commit<T>(others: readonly MessageSpan[], write: () => Promise<T>): Promise<T> {
    const committed = ofOpenTelemetry(others);
    const links = committed.map((other) => ({ context: other.#span.spanContext() }));
    const span = this.#tracer.startSpan('commit', { links }, this.#context);
    this.#commit = span;
    for (const other of committed) other.#span.addLink({ context: span.spanContext() });
    try {
      const result = await context.with(trace.setSpan(this.#context, span), write);
      endSpan(span);
      return result;
    } catch (error) {
      endSpan(span, { error });
      throw error;
    }
  }

  merged(others: readonly MessageSpan[]): void {
    for (const other of ofOpenTelemetry(others))
      this.#commit?.addLink({ context: other.#span.spanContext() });
  }

  noteOutcome(outcome: string, saga: SagaIdentity | undefined): void {
    this.#span.setAttribute('sagabox.outcome', outcome);
    if (saga)
      this.#span.setAttributes({ 'sagabox.saga.name': saga.name, 'sagabox.saga.id': bounded(saga.id) });
  }

  end(failure?: { readonly error: unknown }): void {
    endSpan(this.#span, failure);
  }
}

/** Narrows the spans to this class: an endpoint has one kind of tracing. */
function ofOpenTelemetry(spans: readonly MessageSpan[]): OpenTelemetryMessageSpan[] {
  return spans.filter((span) => span instanceof OpenTelemetryMessageSpan);
}
